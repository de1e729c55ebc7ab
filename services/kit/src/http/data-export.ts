import { dataExportEndpoint, EXPORT_PAGE, type ExportPage } from '@shortlist/contracts/api/data-export';
import { userId } from '@shortlist/contracts/schemas/text';
import Joi from 'joi';
import type { Router } from './router.ts';

type Request = { userId: string; cursor: string | null };

/** Reads one page of a section: all its rows where `next` is null. */
export type ReadSection = (request: Request) => Promise<ExportPage>;

/** Registers the endpoint through which a service returns what it stores about a user, section by section. */
export const addDataExportEndpoint = (
  router: Router,
  sections: Readonly<Record<string, ReadSection>>,
): void => {
  router.add(dataExportEndpoint, {
    roles: ['service'],
    input: Joi.object<{ userId: string; section: string; cursor?: string }, true>({
      userId,
      section: Joi.string()
        .valid(...Object.keys(sections))
        .required(),
      cursor: Joi.string().pattern(/^[\x21-\x7e]{1,100}$/),
    }),
    handle: async ({ input: { section, cursor = null, ...input } }) =>
      (await sections[section]?.({ ...input, cursor })) ?? { data: [], next: null },
  });
};

/** A section whose rows are few enough for one page. */
export const wholeSection =
  (read: (userId: string) => Promise<ExportPage['data']>): ReadSection =>
  async ({ userId: id }) => ({ data: await read(id), next: null });

/** A section that is read in pages of EXPORT_PAGE rows, each after the id at which the page before ended. */
export const pagedSection =
  <Row extends { id: string }>(
    read: (userId: string, after: string | null, limit: number) => Promise<Row[]>,
  ): ReadSection =>
  async ({ userId: id, cursor }) => {
    const data = await read(id, cursor, EXPORT_PAGE);
    return { data, next: data.length < EXPORT_PAGE ? null : (data.at(-1)?.id ?? null) };
  };
