import { deviceCalls } from '@mooring/contract/device/calls';
import type { DeviceDetail } from '@mooring/contract/device/schemas';
import { useState } from 'react';
import { allows } from '../../kit/allows.ts';
import { ConfigTable } from '../../kit/config-table.tsx';
import { ConfigControl } from '../../kit/form/config-control.tsx';
import { FormDialog } from '../../kit/form/form-dialog.tsx';
import { Button } from '../../ui/button.tsx';
import { Empty } from '../../ui/states.tsx';
import { useT } from '../../ui/words.ts';

function Edit({ row, onClose }: { row: DeviceDetail; onClose: () => void }) {
  const t = useT();
  return (
    <FormDialog
      title="device.config.edit"
      call={deviceCalls.setConfig}
      successText="device.config.done"
      submit="kit.save"
      wide
      about={<p className="m-muted">{t('device.config.about')}</p>}
      initial={{ id: row.id, revision: row.config.revision, values: row.config.values }}
      fields={[{ name: 'values', label: 'device.config.values', Control: ConfigControl, wide: true }]}
      onClose={onClose}
    />
  );
}

/** What is wanted of the terminal, and whether it has said that it has it. */
export function DeviceConfig({ row }: { row: DeviceDetail }) {
  const t = useT();
  const [open, setOpen] = useState(false);
  const { values, revision, reported } = row.config;
  const edit = allows(row, 'setConfig') ? (
    <Button icon="edit" onClick={() => setOpen(true)}>
      {t('device.config.edit')}
    </Button>
  ) : null;
  return (
    <div className="m-stack">
      {Object.keys(values).length === 0 ? (
        <Empty title={t('device.config.empty')} text={t('device.config.emptyText')}>
          {edit}
        </Empty>
      ) : (
        <>
          <div className="m-row m-row-wrap">
            <p className="m-grow m-muted" aria-live="polite">
              {t((reported ?? 0) >= revision ? 'device.config.taken' : 'device.config.waits')}
            </p>
            {edit}
          </div>
          <ConfigTable values={values} label={t('device.tab.config')} />
        </>
      )}
      {open ? <Edit row={row} onClose={() => setOpen(false)} /> : null}
    </div>
  );
}
