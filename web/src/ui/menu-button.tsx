import { Dropdown } from 'antd';
import type { KeyboardEvent, ReactElement } from 'react';
import { Icon, type IconName } from './icon.tsx';

export interface MenuItem {
  readonly key: string;
  readonly label: string;
  readonly icon?: IconName | undefined;
  readonly danger?: boolean | undefined;
  readonly disabled?: boolean | undefined;
  readonly checked?: boolean | undefined;
  readonly onClick?: () => void;
  /** A line above this entry. */
  readonly apart?: boolean | undefined;
}

/** Entries as the menu takes them. */
const menuEntries = (items: readonly MenuItem[]) =>
  items.flatMap((item) => [
    ...(item.apart ? [{ type: 'divider' as const, key: `${item.key}-line` }] : []),
    {
      key: item.key,
      label: item.label,
      danger: item.danger ?? false,
      disabled: item.disabled ?? false,
      icon: item.checked ? (
        <Icon name="check" />
      ) : item.icon ? (
        <Icon name={item.icon} />
      ) : item.checked === false ? (
        <span className="m-icon-gap" />
      ) : undefined,
      onClick: ({ domEvent }: { domEvent: Pick<Event, 'preventDefault' | 'stopPropagation'> }) => {
        domEvent.stopPropagation();
        // Enter chooses as it goes down. What that opens has the focus at once, and the same Enter would press what stands first in it: Close.
        domEvent.preventDefault();
        item.onClick?.();
      },
    },
  ]);

/** Space chooses as Enter does (WAI-ARIA, menu pattern). */
function onKeyDown(event: KeyboardEvent): void {
  if (event.key !== ' ' || !(event.target instanceof HTMLElement) || event.target.role !== 'menuitem') return;
  event.preventDefault();
  event.target.click();
}

export const menuOf = (items: readonly MenuItem[]) => ({ items: menuEntries(items), onKeyDown });

interface MenuButtonProps {
  readonly items: readonly MenuItem[];
  readonly children: ReactElement;
  readonly align?: 'start' | 'end';
}

/** A menu that opens from its child, a button. */
export const MenuButton = ({ items, children, align = 'start' }: MenuButtonProps) => (
  <Dropdown menu={menuOf(items)} trigger={['click']} placement={align === 'end' ? 'bottomRight' : 'bottomLeft'} autoFocus>
    {children}
  </Dropdown>
);
