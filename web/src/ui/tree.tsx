import { type KeyboardEvent, type ReactNode, useRef, useState } from 'react';
import { Icon } from './icon.tsx';

/** A line of a tree as it is shown now: what is closed isn't among them. */
export interface TreeLine {
  readonly id: string;
  readonly label: ReactNode;
  readonly level: number;
  readonly expandable: boolean;
  readonly open: boolean;
  readonly busy?: boolean;
  readonly current?: boolean;
  /** A tree with boxes; `part` where some of what is below is chosen. */
  readonly checked?: boolean | 'part';
}

interface TreeProps {
  readonly label: string;
  readonly lines: readonly TreeLine[];
  readonly onToggle: (id: string, open: boolean) => void;
  readonly onPick: (id: string) => void;
  readonly disabled?: boolean;
}

/** A tree as WAI-ARIA has it: one line is in the tab order, arrows walk, open and close, Enter and Space pick. */
export function Tree({ label, lines, onToggle, onPick, disabled }: TreeProps) {
  const list = useRef<HTMLDivElement>(null);
  const [focused, setFocused] = useState<string>();
  const entry = lines.find((line) => line.id === focused) ?? lines.find((line) => line.current) ?? lines[0];
  const boxes = lines.some((line) => line.checked !== undefined);
  const walkTo = (line: TreeLine | undefined) => {
    if (!line) return;
    setFocused(line.id);
    list.current?.querySelector<HTMLElement>(`[data-line="${CSS.escape(line.id)}"]`)?.focus();
  };
  const onKey = (event: KeyboardEvent, line: TreeLine) => {
    const at = lines.indexOf(line);
    const mirrored = document.documentElement.dir === 'rtl';
    const inward = mirrored ? 'ArrowLeft' : 'ArrowRight';
    const outward = mirrored ? 'ArrowRight' : 'ArrowLeft';
    const above = () =>
      lines
        .slice(0, at)
        .reverse()
        .find((one) => one.level < line.level);
    const acts = new Map<string, () => void>([
      ['ArrowDown', () => walkTo(lines[at + 1])],
      ['ArrowUp', () => walkTo(lines[at - 1])],
      ['Home', () => walkTo(lines[0])],
      ['End', () => walkTo(lines.at(-1))],
      [inward, () => (line.expandable && !line.open ? onToggle(line.id, true) : line.open && walkTo(lines[at + 1]))],
      [outward, () => (line.open ? onToggle(line.id, false) : walkTo(above()))],
      ['Enter', () => onPick(line.id)],
      [' ', () => onPick(line.id)],
    ]);
    const act = acts.get(event.key);
    if (!act) return;
    event.preventDefault();
    act();
  };
  return (
    <div ref={list} role="tree" aria-label={label} className="m-tree" {...(boxes ? { 'aria-multiselectable': true } : {})}>
      {lines.map((line) => (
        <div
          key={line.id}
          role="treeitem"
          data-line={line.id}
          aria-level={line.level}
          {...(line.expandable ? { 'aria-expanded': line.open } : {})}
          {...(boxes
            ? { 'aria-checked': line.checked === 'part' ? 'mixed' : line.checked === true }
            : { 'aria-selected': line.current ?? false })}
          aria-busy={line.busy ?? false}
          {...(disabled ? { 'aria-disabled': true } : {})}
          tabIndex={line === entry ? 0 : -1}
          className={`m-tree-line${line.current ? ' m-tree-current' : ''}`}
          style={{ paddingInlineStart: `${(line.level - 1) * 18 + 4}px` }}
          onFocus={() => setFocused(line.id)}
          onKeyDown={(event) => onKey(event, line)}
          onClick={() => !disabled && onPick(line.id)}
        >
          <span
            className={`m-tree-toggle${line.open ? ' m-tree-open' : ''}`}
            aria-hidden="true"
            onClick={(event) => {
              if (!line.expandable) return;
              event.stopPropagation();
              onToggle(line.id, !line.open);
            }}
          >
            {line.busy ? <Icon name="loading" /> : line.expandable ? <Icon name="right" /> : null}
          </span>
          {line.checked === undefined ? null : (
            <span className={`m-tree-box${line.checked ? ' m-tree-checked' : ''}`} aria-hidden="true">
              {line.checked === true ? <Icon name="check" /> : line.checked === 'part' ? <span className="m-tree-dash" /> : null}
            </span>
          )}
          <span className="m-grow m-clip">{line.label}</span>
        </div>
      ))}
    </div>
  );
}
