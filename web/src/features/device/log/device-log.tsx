import { deviceCalls } from '@mooring/contract/device/calls';
import { deviceLogCalls } from '@mooring/contract/device/log/log-calls';
import { LOG_LEVEL_SETTING, PushLevel, pushLevelOf } from '@mooring/contract/device/log/log-lines';
import type { DeviceDetail } from '@mooring/contract/device/schemas';
import { useMemo, useState } from 'react';
import { allows } from '../../../kit/allows.ts';
import { useAct } from '../../../kit/queries.ts';
import { mayCall } from '../../../kit/session.ts';
import { Button } from '../../../ui/button.tsx';
import { Select } from '../../../ui/controls.tsx';
import { useT } from '../../../ui/words.ts';
import { LogView } from './log-view.tsx';
import { RequestLog } from './request-log.tsx';

/** From which level on the terminal sends its lines by itself. */
function Push({ row }: { row: DeviceDetail }) {
  const t = useT();
  const { values, revision } = row.config;
  const act = useAct(deviceCalls.setConfig, { successText: { key: 'deviceLog.push.done', params: { sn: row.sn } } });
  return (
    <span className="m-row">
      <span className="m-muted m-log-push" aria-hidden="true">
        {t('deviceLog.push')}
      </span>
      <Select
        label={t('deviceLog.push')}
        width={150}
        disabled={act.busy || !allows(row, 'setConfig')}
        value={pushLevelOf(values)}
        options={PushLevel.options.map((level) => ({ value: level, label: t(`deviceLog.level.${level}`) }))}
        onChange={(level) => level && act.run({ id: row.id, revision, values: { ...values, [LOG_LEVEL_SETTING]: level } })}
      />
    </span>
  );
}

/** The log of one terminal. */
export function DeviceLog({ row }: { row: DeviceDetail }) {
  const t = useT();
  const [open, setOpen] = useState(false);
  const fixed = useMemo(() => ({ deviceId: row.id }), [row.id]);
  const ask =
    mayCall(deviceLogCalls.request) && allows(row, 'command') ? (
      <Button icon="download" onClick={() => setOpen(true)}>
        {t('deviceLog.request')}
      </Button>
    ) : null;
  return (
    <div className="m-stack">
      <div className="m-row m-row-wrap">
        <span className="m-grow">
          <Push row={row} />
        </span>
        {ask}
      </div>
      <LogView fixed={fixed} prefix="l." />
      {open ? <RequestLog of={row} onClose={() => setOpen(false)} /> : null}
    </div>
  );
}
