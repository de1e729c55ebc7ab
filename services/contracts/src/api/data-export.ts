import { defineEndpoint } from './endpoint.ts';

/** One record of a section. Times are ISO 8601. */
export type ExportRow = Record<string, unknown>;
/** `next` continues the list; null at its end. */
export type ExportPage = { data: ExportRow[]; next: string | null };

/** The same endpoint at each service that stores personal data. */
export const dataExportEndpoint = defineEndpoint<
  { userId: string; section: string; cursor?: string },
  ExportPage
>('GET', '/data-export/:userId/:section');
