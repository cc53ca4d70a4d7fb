import { moveColumn } from '../list/table-config.ts';
import { useTableConfig } from '../list/use-table-config.ts';

export interface Board {
  /** Keys in the person's order. */
  readonly shown: readonly string[];
  readonly hidden: readonly string[];
  readonly ready: boolean;
  place(key: string, before: string): void;
  show(key: string, visible: boolean): void;
  reset(): void;
}

/** Which cards a person wants to see, and in which order: kept like the columns of a table. */
export function useBoard(code: string, keys: readonly string[]): Board {
  const { choice, change, reset, ready } = useTableConfig(
    code,
    keys.map((key) => ({ key })),
  );
  const keyed = (visible: boolean) => choice.columns.filter((one) => one.visible === visible).map((one) => one.key);
  return {
    shown: keyed(true),
    hidden: keyed(false),
    ready,
    place(key, before) {
      const at = (of: string) => choice.columns.findIndex((one) => one.key === of);
      if (key !== before) change(moveColumn(choice, key, at(before) - at(key)));
    },
    show(key, visible) {
      change({ ...choice, columns: choice.columns.map((one) => (one.key === key ? { ...one, visible } : one)) });
    },
    reset,
  };
}
