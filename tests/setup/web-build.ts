import { buildWeb } from '@shortlist/local/system/web';

/** Builds web once, before the workers start their systems side by side. */
export default (): Promise<void> => buildWeb();
