import { Dropdown } from 'antd';
import type { ReactElement } from 'react';
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
export const menuEntries = (items: readonly MenuItem[]) =>
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

interface MenuButtonProps {
  readonly items: readonly MenuItem[];
  readonly children: ReactElement;
  readonly align?: 'start' | 'end';
}

/** A menu that opens from its child, a button. */
export const MenuButton = ({ items, children, align = 'start' }: MenuButtonProps) => (
  <Dropdown menu={{ items: menuEntries(items) }} trigger={['click']} placement={align === 'end' ? 'bottomRight' : 'bottomLeft'} autoFocus>
    {children}
  </Dropdown>
);
