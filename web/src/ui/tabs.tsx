import { type KeyboardEvent, type ReactNode, useEffect, useId, useRef } from 'react';
import { Icon, type IconName } from './icon.tsx';

export interface TabItem {
  readonly key: string;
  readonly label: string;
  readonly icon?: IconName | undefined;
  readonly count?: string | undefined;
  /** Stands behind its name, as a count does; nothing where there is nothing to tell. */
  readonly badge?: ReactNode;
  readonly children?: ReactNode;
}

const steps: Readonly<Record<string, number>> = { ArrowRight: 1, ArrowLeft: -1 };

/**
 * Tabs as WAI-ARIA has them: one is in the tab order, arrows go on, and a narrow screen scrolls them. A lone one is no choice: its name
 * stands as a heading.
 */
export function Tabs({
  items,
  active,
  onChange,
  extra,
  untitled = false,
}: {
  items: readonly TabItem[];
  active: string;
  onChange: (key: string) => void;
  extra?: ReactNode;
  /** A lone one needs no heading: what stands in it says what it is. */
  untitled?: boolean;
}) {
  const id = useId();
  const list = useRef<HTMLDivElement>(null);
  const shown = items.find((item) => item.key === active);
  // Many tabs scroll; the chosen one is in sight, and the page itself stays where it is.
  useEffect(() => {
    const tab = list.current?.querySelector(`[data-tab="${active}"]`)?.getBoundingClientRect();
    const frame = list.current?.getBoundingClientRect();
    if (list.current && tab && frame)
      list.current.scrollLeft += tab.right > frame.right ? tab.right - frame.right : Math.min(0, tab.left - frame.left);
  }, [active]);
  const move = (event: KeyboardEvent) => {
    const mirrored = document.documentElement.dir === 'rtl' ? -1 : 1;
    const at = items.findIndex((item) => item.key === active);
    const to = event.key === 'Home' ? 0 : event.key === 'End' ? items.length - 1 : at + (steps[event.key] ?? Number.NaN) * mirrored;
    const next = items[(to + items.length) % items.length];
    if (!next) return;
    event.preventDefault();
    onChange(next.key);
    list.current?.querySelector<HTMLElement>(`[data-tab="${next.key}"]`)?.focus();
  };
  const lone = items.length === 1;
  const names = lone ? (
    <h2 className="m-row m-grow">
      {shown?.label}
      {shown?.count ? <span className="m-tag m-tag-plain">{shown.count}</span> : null}
    </h2>
  ) : (
    <div ref={list} role="tablist" className="m-tabs-list" onKeyDown={move}>
      {items.map((item) => (
        <button
          key={item.key}
          type="button"
          role="tab"
          id={`${id}-${item.key}`}
          data-tab={item.key}
          aria-selected={item.key === active}
          aria-controls={item.key === active ? `${id}-panel` : undefined}
          tabIndex={item.key === active ? 0 : -1}
          className="m-tab"
          onClick={() => onChange(item.key)}
        >
          {item.icon ? <Icon name={item.icon} /> : null}
          {item.label}
          {item.count ? <span className="m-tag m-tag-plain">{item.count}</span> : null}
          {item.badge}
        </button>
      ))}
    </div>
  );
  const bar =
    lone && untitled ? null : (
      <div className="m-tabs-bar">
        {names}
        {extra}
      </div>
    );
  return (
    <div className="m-tabs">
      {bar}
      <div {...(lone ? {} : { role: 'tabpanel', id: `${id}-panel`, 'aria-labelledby': `${id}-${active}` })}>{shown?.children}</div>
    </div>
  );
}
