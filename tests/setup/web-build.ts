import { buildWeb } from '@shortlist/local/web-build';
import { REPOSITORY } from '@shortlist/local/local-files';

/** Builds web once, before the workers start their systems side by side. */
export default (): Promise<void> =>
  buildWeb(REPOSITORY, { print: () => undefined, signal: new AbortController().signal });
