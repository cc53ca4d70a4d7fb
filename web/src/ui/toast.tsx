import { useEffect } from 'react';
import { IconButton } from './button.tsx';
import { Icon, type IconName } from './icon.tsx';
import { type Toast, type ToastKind, withToast } from './shown-toasts.ts';
import { createStore, useStore } from './store.ts';
import { useT } from './words.ts';

const shown = createStore<readonly Toast[]>([]);
const icons: Record<ToastKind, IconName> = { done: 'done', info: 'about', warning: 'warning', error: 'danger' };
let next = 1;

/** Whoever reads one, or is on the way to its button, isn't hurried. */
let held = false;

const dismiss = (id: number) => shown.set((now) => now.filter((toast) => toast.id !== id));

function pass(id: number, after: number): void {
  setTimeout(() => (held ? pass(id, after) : dismiss(id)), after);
}

/** A passing word. Errors stay twice as long, what somebody has to read until it is closed; the same words never stand there twice. */
export function toast(kind: ToastKind, text: string, action?: Toast['action'], stays = false): void {
  const id = next++;
  shown.set((now) => withToast(now, { id, kind, text, action, stays }));
  if (!stays) pass(id, kind === 'error' || kind === 'warning' || action ? 8000 : 4000);
}

export function Toasts() {
  const toasts = useStore(shown);
  const t = useT();
  useEffect(() => {
    if (toasts.length === 0) held = false;
  }, [toasts]);
  return (
    <section
      className="m-toasts"
      aria-label={t('kit.toast.region')}
      aria-live="polite"
      onMouseEnter={() => {
        held = true;
      }}
      onMouseLeave={() => {
        held = false;
      }}
      onFocus={() => {
        held = true;
      }}
      onBlur={() => {
        held = false;
      }}
    >
      <div className="m-toasts-list">
        {toasts.map((one) => (
          <div key={one.id} className={`m-toast m-toast-${one.kind}`} role={one.kind === 'error' ? 'alert' : 'status'}>
            <Icon name={icons[one.kind]} />
            <span className="m-grow">{one.text}</span>
            {one.action ? (
              <button
                type="button"
                className="m-plain m-toast-act"
                onClick={() => {
                  one.action?.onClick();
                  dismiss(one.id);
                }}
              >
                {one.action.label}
              </button>
            ) : null}
            <IconButton small icon="close" label={t('kit.close')} onClick={() => dismiss(one.id)} />
          </div>
        ))}
      </div>
    </section>
  );
}
