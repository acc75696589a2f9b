/** Calls `act` after so many milliseconds, or each time that so many have passed, until the returned function is called. */
export type After = (milliseconds: number, act: () => void) => () => void;

/** Once, by the clock. */
export const afterTimeout: After = (milliseconds, act) => {
  const timer = setTimeout(act, milliseconds);
  return () => clearTimeout(timer);
};

/** Once; nothing waits for it at the end of the process. */
export const afterUnrefTimeout: After = (milliseconds, act) => {
  const timer = setTimeout(act, milliseconds).unref();
  return () => clearTimeout(timer);
};

/** Again and again; nothing waits for it at the end of the process. */
export const everyUnrefInterval: After = (milliseconds, act) => {
  const timer = setInterval(act, milliseconds).unref();
  return () => clearInterval(timer);
};
