import { appCalls, appVersionCalls } from '@mooring/contract/app/calls';
import { appSubscriptionCalls, appUrlCalls } from '@mooring/contract/app/subscription';
import type { OutputOf } from '@mooring/contract/kit/call';
import { useActed } from '../../kit/act/acted.ts';
import { FormDialog } from '../../kit/form/form-dialog.tsx';
import { MakeDialog } from '../../kit/form/make-dialog.tsx';
import { type RowAction, rowAction } from '../../kit/list/types.ts';
import { useCall } from '../../kit/queries.ts';
import { CopyText } from '../../ui/copy-text.tsx';
import { Note } from '../../ui/states.tsx';
import { toast } from '../../ui/toast.tsx';
import { t, useFormat, useT } from '../../ui/words.ts';
import { Block } from './block.tsx';
import { versionWords } from './version-words.ts';

export type Subscription = OutputOf<typeof appSubscriptionCalls.detail>;
/** Who is on the other side of it. */
const of = ({ side, deptName, appName }: Subscription) => (side === 'owner' ? deptName : appName);

const inCatalogue = { reviewState: '2', publishState: { in: ['1', '3'] } };

/** Versions of an app in the catalogue; none is the newest. */
function useVersionsOf(appId: number, text: string) {
  const found = useCall(
    appVersionCalls.page,
    { criteria: { ...inCatalogue, appId, ...(text ? { text } : {}) }, page: { size: 50 } },
    { keep: true },
  );
  return {
    choices: (found.data?.content ?? []).map((one) => ({ value: one.id, label: { text: versionWords(one) } })),
    busy: found.fetching,
  };
}
const useVersions = (text: string) => useVersionsOf(useActed<Subscription>().appId, text);
/** Apps of others that may be subscribed to. */
function useOthersApps(text: string) {
  const found = useCall(appCalls.page, { criteria: { own: false, ...(text ? { text } : {}) }, page: { size: 50 } }, { keep: true });
  return {
    choices: (found.data?.content ?? [])
      .filter((one) => one.subscribable && !one.blocked)
      .map((one) => ({ value: one.id, label: { text: `${one.name} – ${one.packageName}` } })),
    busy: found.fetching,
  };
}

const versionOf = (appId: number) =>
  ({
    name: 'versionId',
    label: 'appSubscription.versionId',
    kind: 'one',
    useChoices: (text: string) => useVersionsOf(appId, text),
    wide: true,
  }) as const;
/** Of an app that was chosen already, or of one that is chosen here. */
export const Subscribe = ({ app, onClose }: { app?: { readonly id: number; readonly name: string }; onClose: () => void }) => (
  <FormDialog
    title="appSubscription.add"
    {...(app ? { of: app.name, initial: { appId: app.id } } : {})}
    submit="appSubscription.add"
    call={appSubscriptionCalls.add}
    onDone={({ appName, state }) =>
      toast('done', t(state === 'asked' ? 'appSubscription.requested' : 'appSubscription.added', { name: appName }))
    }
    fields={[
      app ? versionOf(app.id) : { name: 'appId', label: 'appSubscription.appId', kind: 'one', useChoices: useOthersApps, wide: true },
      { name: 'note', label: 'appSubscription.note', kind: 'area', wide: true },
    ]}
    onClose={onClose}
  />
);

function Link({ made }: { made: OutputOf<typeof appUrlCalls.link> }) {
  const t = useT();
  const format = useFormat();
  return (
    <div className="m-stack-tight">
      <CopyText text={new URL(made.url, location.origin).href} />
      <p className="m-muted">{t('appSubscription.link.until', { time: format.moment(made.expiresAt) })}</p>
      <p className="m-muted">SHA-256</p>
      <CopyText text={made.sha256} />
    </div>
  );
}

interface Doing {
  readonly row: Subscription;
  readonly onClose: () => void;
}
const Blocking = ({ row: { appId, deptId, deptName }, onClose }: Doing) => <Block of={{ appId, deptId, deptName }} onClose={onClose} />;
function Rotate({ row, onClose }: Doing) {
  const t = useT();
  const format = useFormat();
  const earlier = row.oldSecretUntil !== null && new Date(row.oldSecretUntil) > new Date() ? row.oldSecretUntil : undefined;
  return (
    <MakeDialog
      title="appSubscription.rotate"
      of={of(row)}
      submit="appSubscription.rotate"
      call={appSubscriptionCalls.rotate}
      successText="appSubscription.rotated"
      about={
        <>
          <p className="m-muted">{t('appSubscription.rotate.about')}</p>
          {earlier ? <Note tone="info">{t('appSubscription.rotate.earlier', { until: format.moment(earlier) })}</Note> : null}
        </>
      }
      once="appSubscription.secret.copy"
      made="appSubscription.secret"
      initial={{ id: row.id }}
      fields={row.hasSecret ? [{ name: 'overlapHours', label: 'appSubscription.overlapHours', kind: 'number' }] : []}
      shown={({ appKey, secret }) => (
        <dl className="m-facts">
          <dt>{t('appSubscription.appKey')}</dt>
          <dd>
            <CopyText text={appKey} />
          </dd>
          <dt>{t('appSubscription.secret')}</dt>
          <dd>
            <CopyText text={secret} />
          </dd>
        </dl>
      )}
      onClose={onClose}
    />
  );
}
function MakeLink({ row, onClose }: Doing) {
  const t = useT();
  return (
    <MakeDialog
      title="appSubscription.link"
      of={of(row)}
      submit="appSubscription.link.make"
      call={appUrlCalls.link}
      about={<p className="m-muted">{t('appSubscription.link.about')}</p>}
      once="appSubscription.link.about"
      made="appSubscription.link"
      initial={{ id: row.id }}
      fields={[]}
      shown={(made) => <Link made={made} />}
      onClose={onClose}
    />
  );
}

/** What each side does, in a dialog where something has to be said. */
export const subscriptionActs: readonly RowAction<Subscription>[] = [
  rowAction(appSubscriptionCalls.accept, {
    label: 'appSubscription.accept',
    icon: 'check',
    allowedAction: 'accept',
    form: { fields: ['validUntil'], of },
    successText: 'appSubscription.accepted',
  }),
  rowAction(appSubscriptionCalls.refuse, {
    label: 'appSubscription.refuse',
    danger: true,
    allowedAction: 'refuse',
    form: { fields: ['reason'], of },
    successText: 'appSubscription.refused',
  }),
  rowAction(appSubscriptionCalls.update, {
    label: 'appSubscription.update',
    icon: 'edit',
    allowedAction: 'update',
    input: ({ versionId, note }) => ({ versionId, note }),
    form: {
      fields: [
        { name: 'versionId', useChoices: useVersions, wide: true },
        { name: 'note', kind: 'area' },
      ],
      submit: 'kit.save',
      of,
    },
    successText: 'appSubscription.updated',
  }),
  rowAction(appSubscriptionCalls.term, {
    label: 'appSubscription.term',
    icon: 'calendar',
    allowedAction: 'term',
    input: ({ validUntil, blacklist, reason }) => ({ validUntil, blacklist, reason }),
    form: { fields: ['validUntil', 'blacklist', 'reason'], submit: 'kit.save', of },
    successText: 'appSubscription.termed',
  }),
  {
    key: 'block',
    label: 'appSubscription.block',
    danger: true,
    when: (row) => row.side === 'owner' && row.blacklist === '0',
    call: appSubscriptionCalls.block,
    Dialog: Blocking,
  },
  rowAction(appSubscriptionCalls.unblock, {
    label: 'appSubscription.unblock',
    allowedAction: 'unblock',
    form: { fields: ['reason'], of },
    successText: 'appSubscription.unblocked',
  }),
  {
    key: 'link',
    label: 'appSubscription.link',
    icon: 'link',
    when: (row) => row.validity === '0' && row.versionCode !== null,
    call: appUrlCalls.link,
    Dialog: MakeLink,
  },
  { key: 'rotate', label: 'appSubscription.rotate', icon: 'key', allowedAction: 'rotate', Dialog: Rotate },
  rowAction(appSubscriptionCalls.renew, {
    label: 'appSubscription.renew',
    icon: 'calendar',
    allowedAction: 'renew',
    form: { fields: [{ name: 'comment', label: 'appSubscription.renew.comment', kind: 'area', wide: true }], of },
    successText: 'appSubscription.renewed',
  }),
  rowAction(appSubscriptionCalls.end, {
    label: 'appSubscription.end',
    danger: true,
    apart: true,
    allowedAction: 'end',
    confirm: { text: 'appSubscription.end.text', keep: 'appSubscription.end.keep' },
    successText: 'appSubscription.ended',
  }),
];
