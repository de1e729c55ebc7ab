import { minutes } from '@shortlist/contracts/durations';
import {
  apiPath,
  authorization,
  emitSessionSignal,
  fetchWithTimeout,
  needsStepUp,
  requestStepUp,
} from './call.ts';
import { errorFrom } from './api-error.ts';

const DOWNLOAD_TIMEOUT_MS = minutes(2);

/** Saves a blob as a file of the browser. */
export const saveAs = (blob: Blob, fileName: string): void => {
  const address = URL.createObjectURL(blob);
  const link = document.createElement('a');
  link.href = address;
  link.download = fileName;
  link.click();
  // The browser reads the blob after this task, so the URL is revoked later.
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
};

const request = (path: string, token: string): Promise<Response> =>
  fetchWithTimeout(apiPath(path), { headers: authorization(token) }, DOWNLOAD_TIMEOUT_MS);

/** Downloads `path` as a file. A plain link could not send the token. */
export const download = async (path: string, fileName: string, token: string): Promise<void> => {
  let response = await request(path, token);
  const refusal: unknown = response.ok ? null : await response.json().catch(() => null);
  if (needsStepUp(response.status, refusal) && (await requestStepUp(token)))
    response = await request(path, token);
  else if (!response.ok) {
    if (response.status === 401) emitSessionSignal({ kind: 'rejected', token });
    throw errorFrom(response.status, refusal);
  }
  if (!response.ok) throw errorFrom(response.status, await response.json().catch(() => null));
  saveAs(await response.blob(), fileName);
};
