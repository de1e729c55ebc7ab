import { apiPath, authorization, fetchWithTimeout } from './call.ts';
import { errorFrom } from './api-error.ts';
import { emitSessionSignal } from './session-signals.ts';

const DOWNLOAD_TIMEOUT_MS = 120_000;

/** Downloads `path` as a file. A plain link could not send the token. */
export const download = async (path: string, fileName: string, token: string): Promise<void> => {
  const response = await fetchWithTimeout(
    apiPath(path),
    { headers: authorization(token) },
    DOWNLOAD_TIMEOUT_MS,
  );
  if (!response.ok) {
    if (response.status === 401) emitSessionSignal({ kind: 'rejected', token });
    throw errorFrom(response.status, await response.json().catch(() => null));
  }
  const address = URL.createObjectURL(await response.blob());
  const link = document.createElement('a');
  link.href = address;
  link.download = fileName;
  link.click();
  // The browser reads the blob after this task, so the URL is revoked later.
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
};
