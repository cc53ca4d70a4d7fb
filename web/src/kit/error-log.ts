import { createStore } from '../ui/store.ts';
import { local, parsed } from './storage.ts';

export interface LoggedError {
  readonly at: string;
  readonly kind: 'error' | 'rejection' | 'resource' | 'render';
  readonly text: string;
  readonly where: string;
}

/** Specification, section 8: newest first, 50 at most. */
export const ERROR_CAP = 50;
export const addError = (log: readonly LoggedError[], entry: LoggedError): readonly LoggedError[] => [entry, ...log].slice(0, ERROR_CAP);

export const errorLog = createStore<readonly LoggedError[]>(parsed<LoggedError[]>(local.get('errors'), []));

export function logError(kind: LoggedError['kind'], text: string, where: string = location.pathname): void {
  errorLog.set((now) => addError(now, { at: new Date().toISOString(), kind, text: text.slice(0, 2000), where: where.slice(0, 300) }));
  local.set('errors', JSON.stringify(errorLog.get()));
}

export function clearErrors(): void {
  errorLog.set([]);
  local.set('errors', undefined);
}

/** Some browsers begin the stack with the message, some don't. */
function textOf(thrown: unknown): string {
  if (!(thrown instanceof Error)) return String(thrown);
  const stack = thrown.stack ?? '';
  return stack.includes(thrown.message) ? stack : `${thrown.name}: ${thrown.message}\n${stack}`;
}

/** Runtime errors, unhandled rejections and failed resource loads. A failed call is none: it is shown where it belongs. */
export function watchErrors(): void {
  addEventListener(
    'error',
    (event) => {
      const target = event.target as { src?: string; href?: string } | null;
      const resource = target && target !== (window as unknown) ? (target.src ?? target.href) : undefined;
      if (resource) logError('resource', resource);
      // An element without an address (a refused inline style) fails without a message; its own report says why.
      else if (event.message && !event.message.includes('ResizeObserver'))
        logError('error', event.error ? textOf(event.error) : event.message, `${event.filename}:${event.lineno}`);
    },
    true,
  );
  addEventListener('unhandledrejection', (event) => {
    if ((event.reason as { isCallError?: boolean } | undefined)?.isCallError) event.preventDefault();
    else logError('rejection', textOf(event.reason));
  });
}
