// The words that this code base does not use, with the word to use instead (docs/glossary.md). ESLint reads the identifiers,
// `vocabulary-check.ts` the prose: comments, string literals that are sentences, and documents.

/** Identifiers that name nothing: participles, dialect, and words that say where a value came from instead of what it is. */
export const DENIED_IDENTIFIERS: readonly string[] = [
  ...['asked', 'told', 'shown', 'held', 'kept', 'given', 'said', 'heard', 'meant'],
  ...['own', 'most', 'late', 'leave', 'together', 'handing', 'hints', 'bones', 'news'],
  ...['wish', 'wishes', 'road', 'roads', 'gather', 'nudge', 'trail', 'living', 'coded', 'CodedError'],
];

/** Words that no identifier may contain, in any case: `factOf`, `HEARER_ID` and `addDoor` are found too. */
export const DENIED_SEGMENTS: readonly string[] = [
  ...['door', 'doors', 'fact', 'facts', 'hear', 'hears', 'heard', 'hearer', 'hearers', 'hearing', 'hearings'],
  ...['deed', 'deeds', 'stranger', 'strangers', 'nobody', 'somebody', 'whoever', 'everybody', 'anybody'],
  ...['upkeep', 'wish', 'wishes', 'nudge', 'parked', 'told', 'asker', 'teller'],
];

type DeniedPhrase = { pattern: RegExp; use: string };

/** Words and turns of phrase that no comment, message or document contains. */
export const DENIED_PHRASES: readonly DeniedPhrase[] = [
  { pattern: /\bdoors?\b/i, use: 'endpoint' },
  { pattern: /\bfacts?\b/i, use: 'event' },
  { pattern: /\b(hear|hears|heard|hearers?|hearings?)\b/i, use: 'consume, consumer, handler' },
  { pattern: /\bdeeds?\b/i, use: 'action' },
  { pattern: /\bparked\b/i, use: 'dead-lettered' },
  { pattern: /\bupkeep\b/i, use: 'maintenance' },
  { pattern: /\bnudg(e|es|ed|ing)\b/i, use: 'notify' },
  { pattern: /\b(tells?|told|telling)\b/i, use: 'emit, notify, report, say what it does' },
  { pattern: /\bstrangers?\b/i, use: 'unauthenticated client, external client' },
  {
    pattern: /\b(nobody|somebody|anybody|everybody|whoever|whomever)\b/i,
    use: 'the user, the caller, the client',
  },
  { pattern: /\b(ask|asks|asked|asking)\b(?! for (a|the) review)/i, use: 'call, request, read' },
  { pattern: /\banew\b/i, use: 'again' },
  { pattern: /\b(for|to|by|of|from|with) who\b/i, use: 'name the subject' },
  {
    pattern:
      /\b(?<!\b(user|users|admin|admins|recruiter|recruiters|caller|someone|client|operator) )who (asks|enters|comes|looks|holds|pays|spends|wants)\b/i,
    use: 'name the subject',
  },
  { pattern: /\bcut short\b/i, use: 'ended, timed out' },
  { pattern: /\b(is|are|was|were) (looked at|looked for|looked up at)\b/i, use: 'read, checked' },
  { pattern: /\b(in|by|of) (its|our|their|other) (own )?words\b/i, use: 'message' },
  { pattern: /\bgives? (up|back) for\b/i, use: 'release, end' },
  { pattern: /\bone of a kind\b/i, use: 'mutex, run exclusively' },
];
