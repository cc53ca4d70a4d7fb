import { Tooltip as AntTooltip } from 'antd';
import type { ReactElement } from 'react';

export const Tooltip = ({ title, children }: { title: string; children: ReactElement }) => (
  <AntTooltip title={title} placement="right" mouseEnterDelay={0.2}>
    {children}
  </AntTooltip>
);
