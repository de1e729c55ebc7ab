/** All results. If a promise rejects, it throws only after the others have settled. */
export const settleAll = async <const Promises extends readonly Promise<unknown>[]>(promises: Promises) => {
  await Promise.allSettled(promises);
  return Promise.all(promises);
};
