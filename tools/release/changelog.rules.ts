/**
 * The changelog has a section for each release, the newest first, and before them one of what is not released yet. A section of a
 * release begins with its version and date: `## [1.0.0] - 2026-11-29`.
 */
type Release = { version: string; date: string; text: string };

const HEADING = /^## \[([^\]]+)\](?: - (\d{4}-\d{2}-\d{2}))?$/;

/** Returns the releases in the order of the text. */
export const findReleases = (changelog: string): Release[] =>
  changelog
    .split(/^(?=## )/m)
    .slice(1)
    .flatMap((section) => {
      const [heading = '', ...lines] = section.split('\n');
      const [, version, date] = HEADING.exec(heading) ?? [];
      return version === undefined || date === undefined
        ? []
        : [{ version, date, text: lines.join('\n').trim() }];
    });

/** Returns what changed in a version; null unless it is the newest release of the changelog, and its section says something. */
export const notesOf = (changelog: string, version: string): string | null => {
  const [newest] = findReleases(changelog);
  return newest?.version === version && newest.text !== '' ? newest.text : null;
};
