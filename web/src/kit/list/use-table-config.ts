import { settingCalls, type TableConfig } from '@mooring/contract/settings/calls';
import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { api } from '../client.ts';
import { useCall } from '../queries.ts';
import { useSession } from '../session.ts';
import { local, parsed } from '../storage.ts';
import { type Declared, mergeConfig, type TableChoice, toConfig } from './table-config.ts';

const SAVE_MS = 800;

/** A person's settings of a table: from this browser at once, from the server when it answers. */
export function useTableConfig(code: string, columns: readonly Declared[]) {
  const { user } = useSession();
  const place = `table.${user?.id ?? 0}.${code}`;
  const [kept, setKept] = useState(() => parsed<Partial<TableConfig> | undefined>(local.get(place), undefined));
  const asked = useCall(settingCalls.tableConfig, { code });
  const changed = useRef(false);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const text = asked.data?.config;

  useEffect(() => {
    if (text === undefined || changed.current) return;
    setKept(parsed<Partial<TableConfig> | undefined>(text, undefined));
    local.set(place, text);
  }, [text, place]);

  const choice = useMemo(() => mergeConfig(columns, kept), [columns, kept]);

  const change = useCallback(
    (next: TableChoice) => {
      changed.current = true;
      const config = toConfig(code, next);
      setKept(config);
      const saved = JSON.stringify(config);
      local.set(place, saved);
      clearTimeout(timer.current);
      timer.current = setTimeout(
        () => void api(settingCalls.saveTableConfig, { code, config: saved }, { hidden: true }).catch(() => {}),
        SAVE_MS,
      );
    },
    [code, place],
  );

  return { choice, change, reset: () => change(mergeConfig(columns, undefined)), ready: kept !== undefined || !asked.loading };
}
