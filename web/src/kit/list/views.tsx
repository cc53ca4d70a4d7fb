import type { Call } from '@mooring/contract/kit/call';
import { type SavedView, savedViewCalls } from '@mooring/contract/settings/view-calls';
import { useEffect, useRef, useState } from 'react';
import { Button, IconButton } from '../../ui/button.tsx';
import { MenuButton } from '../../ui/menu-button.tsx';
import { toast } from '../../ui/toast.tsx';
import { useT } from '../../ui/words.ts';
import { FormDialog } from '../form/form-dialog.tsx';
import { useCall } from '../queries.ts';
import { ManageViews } from './manage-views.tsx';
import { mergeConfig, toConfig } from './table-config.ts';
import type { List } from './use-list.ts';
import { useViewFields } from './view-fields.ts';

/** What a view keeps of a list as it is now. */
const keptOf = <C extends Call>({ query, spec, config }: List<C>) => ({ query, columns: toConfig(spec.code, config.choice).configs });

/** Goes to a view: its filters and order into the address, its columns into the table. */
function useOpen<C extends Call>(list: List<C>): (view: SavedView) => void {
  const t = useT();
  const { spec, config, openQuery } = list;
  return ({ query, columns }) => {
    if (columns) config.change(mergeConfig(spec.columns, { ...toConfig(spec.code, config.choice), configs: columns }));
    const lost = openQuery(query);
    if (lost.length > 0) toast('warning', t('kit.views.lost', { names: lost.join(', ') }));
  };
}

/** Views of a list: to choose one, to keep what it shows now, and to tidy up. */
export function Views<C extends Call>({ list }: { list: List<C> }) {
  const t = useT();
  const { code } = list.spec;
  const found = useCall(savedViewCalls.list, { list: code });
  const views = found.data ?? [];
  const open = useOpen(list);
  const fields = useViewFields();
  const [shown, setShown] = useState<'save' | 'manage'>();
  const close = () => setShown(undefined);
  // Who finds a list narrowed by their default view sees by which.
  const current = views.find((one) => one.query !== '' && one.query === list.query);

  // Once, where the address says nothing of the list and nobody works in it yet: who clears the filters wants them cleared, and who types
  // goes on typing.
  const isOpened = useRef(false);
  useEffect(() => {
    if (isOpened.current || !found.data) return;
    isOpened.current = true;
    const first = found.data.find((one) => one.isDefault);
    if (first && !list.inHand.current && list.query === '' && list.at('page') === null) open(first);
  }, [found.data, list, open]);

  return (
    <>
      <MenuButton
        align="end"
        items={[
          ...views.map((one) => ({
            key: String(one.id),
            label: one.name,
            checked: one.query === list.query,
            onClick: () => open(one),
          })),
          { key: 'save', label: t('kit.views.saveNow'), icon: 'add' as const, apart: views.length > 0, onClick: () => setShown('save') },
          { key: 'manage', label: t('kit.views.manage'), icon: 'edit' as const, onClick: () => setShown('manage') },
        ]}
      >
        {current ? (
          <Button icon="view" of={t('kit.views.title')}>
            {current.name}
          </Button>
        ) : (
          <IconButton icon="view" label={t('kit.views.title')} />
        )}
      </MenuButton>
      {shown === 'save' ? (
        <FormDialog
          title="kit.views.save"
          submit="kit.views.save"
          call={savedViewCalls.add}
          successText="kit.views.saved"
          initial={{ list: code, ...keptOf(list) }}
          fields={fields}
          onClose={close}
        />
      ) : null}
      {shown === 'manage' ? <ManageViews code={code} views={views} kept={keptOf(list)} onClose={close} /> : null}
    </>
  );
}
