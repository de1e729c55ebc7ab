/** An endpoint has refused a request until the user proves again who they are. */
export type StepUpRequest = { token: string; settle: (isProven: boolean) => void };

const NAME = 'shortlist:step-up';

/** Resolves to whether the user has proven who they are; false when the dialog was closed, or nothing shows one. */
export const requestStepUp = (token: string): Promise<boolean> =>
  new Promise((resolve) => {
    const detail: StepUpRequest = { token, settle: resolve };
    const isHandled = !window.dispatchEvent(
      new CustomEvent<StepUpRequest>(NAME, { detail, cancelable: true }),
    );
    if (!isHandled) resolve(false);
  });

export const onStepUp = (handle: (request: StepUpRequest) => void): (() => void) => {
  const listener = (event: Event): void => {
    if (!(event instanceof CustomEvent)) return;
    event.preventDefault();
    handle(event.detail as StepUpRequest);
  };
  window.addEventListener(NAME, listener);
  return () => window.removeEventListener(NAME, listener);
};
