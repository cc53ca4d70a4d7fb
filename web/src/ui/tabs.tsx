import { Tabs as AntTabs } from 'antd';
import type { ReactNode } from 'react';
import { Icon, type IconName } from './icon.tsx';

export interface TabItem {
  readonly key: string;
  readonly label: string;
  readonly icon?: IconName | undefined;
  readonly count?: string | undefined;
  readonly children?: ReactNode;
}

export function Tabs({
  items,
  active,
  onChange,
  extra,
}: {
  items: readonly TabItem[];
  active: string;
  onChange: (key: string) => void;
  extra?: ReactNode;
}) {
  return (
    <AntTabs
      activeKey={active}
      onChange={onChange}
      destroyOnHidden
      {...(extra ? { tabBarExtraContent: extra } : {})}
      items={items.map((item) => ({
        key: item.key,
        children: item.children,
        label: (
          <span className="m-row">
            {item.icon ? <Icon name={item.icon} /> : null}
            {item.label}
            {item.count ? <span className="m-tag m-tag-plain">{item.count}</span> : null}
          </span>
        ),
      }))}
    />
  );
}
