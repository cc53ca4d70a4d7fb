import { type SavedView, savedViewCalls } from '@mooring/contract/settings/view-calls';
import { useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Empty } from '../../ui/states.tsx';
import { Table } from '../../ui/table.tsx';
import { useT } from '../../ui/words.ts';
import { FormDialog } from '../form/form-dialog.tsx';
import { Value } from './cells.tsx';
import { RowMenu, useRowActs } from './row-acts.tsx';
import { type RowAction, rowAction } from './types.ts';
import { useViewFields } from './view-fields.ts';

interface Props {
  code: string;
  views: readonly SavedView[];
  /** What the list shows now. */
  kept: Pick<SavedView, 'query' | 'columns'>;
  onClose: () => void;
}
const isOwn = (view: SavedView) => view.by === null;

function actsOf({ code, kept }: Pick<Props, 'code' | 'kept'>, edit: (view: SavedView) => void): RowAction<SavedView>[] {
  return [
    rowAction(savedViewCalls.setDefault, {
      key: 'default',
      label: 'kit.views.makeDefault',
      successText: 'done.saved',
      when: (view: SavedView) => !view.isDefault,
      input: ({ id }) => ({ list: code, id }),
    }),
    rowAction(savedViewCalls.setDefault, {
      key: 'noDefault',
      label: 'kit.views.noDefault',
      successText: 'done.saved',
      when: (view: SavedView) => view.isDefault,
      input: () => ({ list: code, id: null }),
    }),
    { key: 'edit', label: 'kit.views.rename', icon: 'edit', when: isOwn, run: edit },
    rowAction(savedViewCalls.update, {
      key: 'replace',
      label: 'kit.views.replace',
      successText: 'kit.views.saved',
      when: isOwn,
      input: ({ id, name, shared }) => ({ id, name, shared, ...kept }),
    }),
    rowAction(savedViewCalls.delete, {
      label: 'kit.views.delete',
      successText: 'kit.views.deleted',
      danger: true,
      when: isOwn,
      confirm: { text: 'kit.views.delete.about' },
    }),
  ];
}

/** The views of a list, one's own and those that are shared, with what may be done with each. */
export function ManageViews({ code, views, kept, onClose }: Props) {
  const t = useT();
  const [edited, setEdited] = useState<SavedView>();
  const fields = useViewFields();
  const acts = useRowActs<SavedView>((view) => view.name);
  if (edited) {
    const { id, name, shared } = edited;
    return (
      <FormDialog
        title="kit.views.rename"
        of={name}
        submit="kit.save"
        call={savedViewCalls.update}
        successText="kit.views.saved"
        initial={{ id, name, shared }}
        fields={fields}
        onClose={() => setEdited(undefined)}
      />
    );
  }
  return (
    <>
      <Dialog open title={t('kit.views.manage')} width={640} onClose={onClose} footer={<Button onClick={onClose}>{t('kit.close')}</Button>}>
        {views.length === 0 ? (
          <Empty title={t('kit.views.none')} text={t('kit.views.noneText')} icon="view" />
        ) : (
          <Table
            label={t('kit.views.title')}
            rows={views}
            idOf={(view) => view.id}
            nameOf={(view) => view.name}
            columns={[
              { key: 'name', title: t('kit.views.name'), width: 200, cell: (view) => <bdi>{view.name}</bdi> },
              {
                key: 'by',
                title: t('kit.views.whose'),
                width: 180,
                cell: ({ by, shared }) =>
                  by === null ? t(shared ? 'kit.views.isShared' : 'kit.views.own') : t('kit.views.by', { name: by }),
              },
              { key: 'isDefault', title: t('kit.views.default'), width: 140, cell: (view) => <Value value={view.isDefault} kind="yes" /> },
            ]}
            acts={(view) => <RowMenu actions={actsOf({ code, kept }, setEdited)} row={view} name={view.name} start={acts.start} />}
          />
        )}
      </Dialog>
      {acts.dialog}
    </>
  );
}
