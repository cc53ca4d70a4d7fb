import { settingCalls, type TableConfig } from '@mooring/contract/settings/calls';
import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { api } from '../client.ts';
import { isCallError } from '../outcome.ts';
import { useCall } from '../queries.ts';
import { useSession } from '../session.ts';
import { local, parsed } from '../storage.ts';
import { type Declared, mergeConfig, type TableChoice, toConfig } from './table-config.ts';

const SAVE_MS = 800;
type Kept = Partial<TableConfig> | undefined;

/** By place: what was chosen in this tab. Any answer of the server may have been read before that, also one that another list asked for. */
const chosenHere = new Map<string, string>();
/** What the server wasn't told yet: the page may have been left or loaded anew before, or the server was away. */
const unsaved = (place: string) => `${place}.unsaved`;

function chosenAt(place: string): string | undefined {
  const left = chosenHere.get(place) ?? local.get(unsaved(place));
  if (left !== undefined) chosenHere.set(place, left);
  return left;
}

async function save(place: string, code: string, config: string): Promise<void> {
  try {
    await api(settingCalls.saveTableConfig, { code, config }, { hidden: true });
  } catch (error) {
    // Refused is final; what wasn't heard is said again when the table is opened next.
    if (!isCallError(error) || error.transport) return;
  }
  if (local.get(unsaved(place)) === config) local.set(unsaved(place), undefined);
}

/** A person's settings of a table: from this browser at once, from the server when it answers. What they choose meanwhile stays. */
export function useTableConfig(code: string, columns: readonly Declared[]) {
  const { user } = useSession();
  const place = `table.${user?.id ?? 0}.${code}`;
  const [kept, setKept] = useState(() => parsed<Kept>(chosenAt(place) ?? local.get(place), undefined));
  const asked = useCall(settingCalls.tableConfig, { code });
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const text = asked.data?.config;

  useEffect(() => {
    if (text === undefined || chosenHere.has(place)) return;
    setKept(parsed<Kept>(text, undefined));
    local.set(place, text);
  }, [text, place]);

  useEffect(() => {
    const left = local.get(unsaved(place));
    if (left !== undefined) void save(place, code, left);
  }, [code, place]);

  const choice = useMemo(() => mergeConfig(columns, kept), [columns, kept]);

  const change = useCallback(
    (next: TableChoice) => {
      const config = toConfig(code, next);
      setKept(config);
      const saved = JSON.stringify(config);
      chosenHere.set(place, saved);
      local.set(place, saved);
      local.set(unsaved(place), saved);
      clearTimeout(timer.current);
      timer.current = setTimeout(() => void save(place, code, saved), SAVE_MS);
    },
    [code, place],
  );

  return { choice, change, reset: () => change(mergeConfig(columns, undefined)), ready: kept !== undefined || !asked.loading };
}
