import Joi from 'joi';
import { EXPORT_SECTIONS, type ExportingService } from '../export-sections.ts';
import { userId } from './text.ts';

/** The input of a service's data export. */
export const exportRequestOf = (
  service: ExportingService,
): Joi.ObjectSchema<{ userId: string; section: string; cursor?: string }> =>
  Joi.object<{ userId: string; section: string; cursor?: string }, true>({
    userId,
    section: Joi.string()
      .valid(...Object.keys(EXPORT_SECTIONS[service]))
      .required(),
    cursor: Joi.string().pattern(/^[\x21-\x7e]{1,100}$/),
  });
