import { Dropdown } from 'antd';
import { type MouseEvent, useRef, useState } from 'react';
import { Icon, type IconName } from './icon.tsx';
import { type MenuItem, menuOf } from './menu-button.tsx';

// Hundreds of these come and go while a table is scrolled: they are plain elements until somebody uses them.

/** A click in one of these isn't one on its row; a menu that floats above hangs below its row all the same. */
export const isOwnClick = (event: MouseEvent): boolean =>
  (event.target as Element).closest('a,button,input,label,[role=menu],.m-row-menu') !== null;

interface RowCheckProps {
  readonly value: boolean;
  readonly part?: boolean;
  readonly onChange: () => void;
  readonly label: string;
}

/** The box of a row, or of all rows of a page. */
export const RowCheck = ({ value, part = false, onChange, label }: RowCheckProps) => (
  <input
    type="checkbox"
    className="m-row-check"
    checked={value}
    ref={(box) => {
      if (box) box.indeterminate = part;
    }}
    onChange={onChange}
    aria-label={label}
  />
);

interface RowButtonProps {
  readonly icon: IconName;
  readonly label: string;
  readonly onClick: (event: MouseEvent<HTMLElement>) => void;
}

/** An icon to press, named by its tooltip. */
export const RowButton = ({ icon, label, onClick }: RowButtonProps) => (
  <button type="button" className="m-row-button" title={label} aria-label={label} onClick={onClick}>
    <Icon name={icon} />
  </button>
);

/** What can be done with a row. The menu is made at its first use. */
export function RowMenuButton({ label, items }: { label: string; items: () => readonly MenuItem[] }) {
  const [menu, setMenu] = useState<'unused' | 'closed' | 'open'>('unused');
  const button = useRef<HTMLButtonElement>(null);
  // A press outside of an open menu closes it, and its button lies outside: the click that follows isn't to open it again.
  const closing = useRef(false);
  const open = menu === 'open';
  return (
    <span className="m-row-menu">
      <button
        ref={button}
        type="button"
        className="m-row-button"
        title={label}
        aria-label={label}
        aria-haspopup="menu"
        aria-expanded={open}
        onPointerDown={() => {
          closing.current = open;
        }}
        onClick={() => {
          if (!closing.current) setMenu('open');
          closing.current = false;
        }}
      >
        <Icon name="more" />
      </button>
      {menu !== 'unused' ? (
        <Dropdown
          open={open}
          autoFocus
          trigger={['click']}
          placement="bottomRight"
          menu={menuOf(items())}
          onOpenChange={(next) => {
            setMenu(next ? 'open' : 'closed');
            if (!next) button.current?.focus();
          }}
        >
          <span className="m-row-menu-anchor" />
        </Dropdown>
      ) : null}
    </span>
  );
}
