/** What comes after the time is of no use, and isn't waited for. Rejects with the reason of the signal. */
export function inTime<T>(work: Promise<T>, time: AbortSignal): Promise<T> {
  const late = Promise.withResolvers<never>();
  const stop = () => late.reject(time.reason);
  if (time.aborted) stop();
  else time.addEventListener('abort', stop, { once: true });
  return Promise.race([work, late.promise]).finally(() => time.removeEventListener('abort', stop));
}
