import { PAGE_SIZE_MAX } from '@mooring/contract/kit/page';
import type { TableConfig } from '@mooring/contract/settings/calls';

/** A declared column, as far as a person may change it. */
export interface Declared {
  readonly key: string;
  readonly width?: number | undefined;
  readonly minWidth?: number | undefined;
  readonly pinned?: 'left' | 'right' | undefined;
  readonly off?: boolean | undefined;
}
export interface Chosen {
  readonly key: string;
  readonly visible: boolean;
  readonly width: number;
  readonly resized: boolean;
  readonly pinned: 'left' | 'right' | undefined;
}
export interface TableChoice {
  readonly size: number;
  readonly isSingleLine: boolean;
  readonly columns: readonly Chosen[];
}

const WIDTH = 140;
/** Rows of a page for whoever has chosen no number; what a stored table config leaves out is 10 (specification, 4.4). */
const ROWS = 50;

const declared = (column: Declared): Chosen => ({
  key: column.key,
  visible: !column.off,
  width: column.width ?? WIDTH,
  resized: false,
  pinned: column.pinned,
});

/** The person's settings laid over the declaration: a column that is new since then stands where it was declared, one that is gone is forgotten. */
export function mergeConfig(columns: readonly Declared[], kept: Partial<TableConfig> | undefined): TableChoice {
  const known = new Map(columns.map((column) => [column.key, column]));
  const configs = (kept?.configs ?? []).filter(
    (config, at, all) => known.has(config.key) && all.findIndex((one) => one.key === config.key) === at,
  );
  const result: Chosen[] = configs.map((config) => {
    const base = declared(known.get(config.key) as Declared);
    return {
      key: config.key,
      visible: config.visible,
      width: config.width ?? base.width,
      resized: config.width !== undefined && config.flag === true,
      pinned: config.pinned,
    };
  });
  for (const [at, column] of columns.entries()) {
    if (result.some((one) => one.key === column.key)) continue;
    const before = columns.slice(0, at).findLast((one) => result.some((placed) => placed.key === one.key));
    result.splice(before ? result.findIndex((one) => one.key === before.key) + 1 : 0, 0, declared(column));
  }
  // A table without any column can't be set right again from its own head.
  if (result.length > 0 && !result.some((one) => one.visible)) result[0] = { ...(result[0] as Chosen), visible: true };
  const size = kept?.size ?? ROWS;
  return { size: Math.min(PAGE_SIZE_MAX, Math.max(1, size)), isSingleLine: kept?.isSingleLine ?? true, columns: result };
}

export const toConfig = (code: string, choice: TableChoice): TableConfig => ({
  code,
  size: choice.size,
  isSingleLine: choice.isSingleLine,
  configs: choice.columns.map(({ key, visible, width, resized, pinned }) => ({
    key,
    visible,
    flag: resized,
    ...(resized ? { width: Math.round(Math.min(2000, Math.max(40, width))) } : {}),
    ...(pinned ? { pinned } : {}),
  })),
});

/** Pinned ones stand at their edge, whatever their place in the order. */
export const shownColumns = (choice: TableChoice): Chosen[] => {
  const visible = choice.columns.filter((column) => column.visible);
  return [
    ...visible.filter((one) => one.pinned === 'left'),
    ...visible.filter((one) => !one.pinned),
    ...visible.filter((one) => one.pinned === 'right'),
  ];
};

export function moveColumn(choice: TableChoice, key: string, by: number): TableChoice {
  const from = choice.columns.findIndex((column) => column.key === key);
  const to = Math.min(choice.columns.length - 1, Math.max(0, from + by));
  const columns = [...choice.columns];
  const [moved] = columns.splice(from, 1);
  if (moved) columns.splice(to, 0, moved);
  return { ...choice, columns };
}
