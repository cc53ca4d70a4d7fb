import type { DeviceDetail } from '@mooring/contract/device/schemas';
import { deviceThingCalls, type ThingState } from '@mooring/contract/device/thing/thing-calls';
import { productModelCalls } from '@mooring/contract/product/model-calls';
import { allows } from '../../../kit/allows.ts';
import { CallFailed } from '../../../kit/dead-end.tsx';
import { Link } from '../../../kit/link.tsx';
import { useCall } from '../../../kit/queries.ts';
import { mayCall, session } from '../../../kit/session.ts';
import { Bone, Empty, Note } from '../../../ui/states.tsx';
import { useT } from '../../../ui/words.ts';
import { Events } from './events.tsx';
import { Others, Properties } from './properties.tsx';
import { Services } from './services.tsx';
import './thing.css';

/** To the thing model of its product, where products are. */
function ToModel({ state }: { state: ThingState }) {
  const t = useT();
  if (session.get().platform !== 'manager' || !mayCall(productModelCalls.current)) return null;
  return <Link to={`/device/product/${state.productId}?tab=model`}>{t('thing.openProduct')}</Link>;
}

/** What the terminal is by the thing model of its product: as it says, as it is wanted, what it can do and what it told of. */
export function DeviceThing({ row }: { row: DeviceDetail }) {
  const t = useT();
  const asked = useCall(deviceThingCalls.read, { id: row.id });
  const state = asked.data;
  if (!state) return asked.error ? <CallFailed part error={asked.error} onRetry={asked.retry} /> : <Bone height={320} />;
  if (state.version === null)
    return (
      <div className="m-stack">
        <Empty title={t('thing.none', { product: state.productName })} text={t('thing.noneText')} icon="device">
          <ToModel state={state} />
        </Empty>
        <Others others={state.others} />
      </div>
    );
  const device = { id: row.id, sn: row.sn };
  return (
    <div className="m-stack">
      <div className="m-row m-row-wrap">
        <p className="m-grow m-muted">{t('thing.version', { version: state.version, product: state.productName })}</p>
        <ToModel state={state} />
      </div>
      {allows(state, 'set') && !state.can.set && row.lastSeenAt !== null ? <Note tone="warn">{t('thing.cannot.set')}</Note> : null}
      <Properties device={device} state={state} />
      <Others others={state.others} />
      <Services device={device} state={state} />
      <Events key={device.id} device={device} state={state} />
    </div>
  );
}
