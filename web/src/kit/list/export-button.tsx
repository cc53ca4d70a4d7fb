import type { Call } from '@mooring/contract/kit/call';
import { useState } from 'react';
import { IconButton } from '../../ui/button.tsx';
import { MenuButton } from '../../ui/menu-button.tsx';
import { toast } from '../../ui/toast.tsx';
import { useT } from '../../ui/words.ts';
import { change } from '../queries.ts';
import { mayCall, useSession } from '../session.ts';
import { go } from '../view.ts';
import { shownColumns } from './table-config.ts';
import type { List } from './use-list.ts';

interface ExportProps {
  readonly call: Call;
  /** Asked when it is pressed. */
  readonly of: () => { readonly criteria: unknown; readonly columns: readonly string[] };
}

/** A file of rows, made in the background. */
export function ExportMenu({ call, of }: ExportProps) {
  const t = useT();
  const session = useSession();
  const [busy, setBusy] = useState(false);
  if (!mayCall(call, session)) return null;
  const run = async (format: 'xlsx' | 'csv') => {
    setBusy(true);
    try {
      await change(call, { ...of(), format });
      toast('done', t('kit.export.started'), { label: t('kit.work.open'), onClick: () => go('/task/export') });
    } catch {
      // The client has shown why.
    } finally {
      setBusy(false);
    }
  };
  return (
    <MenuButton
      align="end"
      items={[
        { key: 'xlsx', label: t('kit.export.xlsx'), onClick: () => void run('xlsx') },
        { key: 'csv', label: t('kit.export.csv'), onClick: () => void run('csv') },
      ]}
    >
      <IconButton icon="download" label={t('kit.export.title')} busy={busy} />
    </MenuButton>
  );
}

/** Exactly what is filtered, with the columns that are shown. */
export function ExportButton<C extends Call>({ list, call }: { list: List<C>; call: Call }) {
  const of = () => ({
    criteria: list.criteria,
    columns: shownColumns(list.config.choice)
      .map((column) => column.key)
      .filter((key) => !key.startsWith('_')),
  });
  return <ExportMenu call={call} of={of} />;
}
