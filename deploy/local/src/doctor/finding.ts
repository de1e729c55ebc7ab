/** A problem prevents `make start`; a warning does not. The text of both says what to do. */
export type Finding = { level: 'ok' | 'warning' | 'problem'; text: string };

export const ok = (text: string): Finding[] => [{ level: 'ok', text }];
export const warning = (text: string): Finding[] => [{ level: 'warning', text }];
export const problem = (text: string): Finding[] => [{ level: 'problem', text }];

/** Returns a finding in one line. */
export const lineOf = ({ level, text }: Finding): string => `${level.padEnd(9)}${text.replace(/\s+/g, ' ')}`;
