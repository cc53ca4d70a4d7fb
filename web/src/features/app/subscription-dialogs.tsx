import { appCalls, appVersionCalls } from '@mooring/contract/app/calls';
import { appSubscriptionCalls, appUrlCalls } from '@mooring/contract/app/subscription';
import type { OutputOf } from '@mooring/contract/kit/call';
import { FormDialog } from '../../kit/form/form-dialog.tsx';
import { MakeDialog } from '../../kit/form/make-dialog.tsx';
import type { RowAction } from '../../kit/list/types.ts';
import { useCall } from '../../kit/queries.ts';
import { CopyText } from '../../ui/copy-text.tsx';
import { createStore, useStore } from '../../ui/store.ts';
import { toast } from '../../ui/toast.tsx';
import { t, useFormat, useT } from '../../ui/words.ts';
import { Block } from './block.tsx';
import { versionWords } from './version-words.ts';

export type Subscription = OutputOf<typeof appSubscriptionCalls.detail>;
type Dialog = 'update' | 'accept' | 'refuse' | 'term' | 'block' | 'unblock' | 'rotate' | 'link';
const asked = createStore<{ readonly dialog: Dialog; readonly row: Subscription } | undefined>(undefined);
const asking = (dialog: Dialog) => (row: Subscription) => asked.set({ dialog, row });

/** What each side does, in a dialog where something has to be said. */
export const subscriptionActs: readonly RowAction<Subscription>[] = [
  { key: 'accept', label: 'appSubscription.accept', icon: 'check', allowedAction: 'accept', run: asking('accept') },
  { key: 'refuse', label: 'appSubscription.refuse', danger: true, allowedAction: 'refuse', run: asking('refuse') },
  { key: 'update', label: 'appSubscription.update', icon: 'edit', allowedAction: 'update', run: asking('update') },
  { key: 'term', label: 'appSubscription.term', icon: 'calendar', allowedAction: 'term', run: asking('term') },
  {
    key: 'block',
    label: 'appSubscription.block',
    danger: true,
    when: (row) => row.side === 'owner' && row.blacklist === '0',
    call: appSubscriptionCalls.block,
    run: asking('block'),
  },
  { key: 'unblock', label: 'appSubscription.unblock', allowedAction: 'unblock', run: asking('unblock') },
  {
    key: 'link',
    label: 'appSubscription.link',
    icon: 'link',
    when: (row) => row.validity === '0' && row.versionCode !== null,
    call: appUrlCalls.link,
    run: asking('link'),
  },
  { key: 'rotate', label: 'appSubscription.rotate', icon: 'key', allowedAction: 'rotate', run: asking('rotate') },
  {
    key: 'end',
    label: 'appSubscription.end',
    danger: true,
    apart: true,
    allowedAction: 'end',
    call: appSubscriptionCalls.end,
    confirm: { text: 'appSubscription.end.text', keep: 'appSubscription.end.keep' },
    successText: 'appSubscription.ended',
  },
];

const inCatalogue = { reviewState: '2', publishState: { in: ['1', '3'] } };

/** Versions of an app in the catalogue; none is the newest. */
const versionsOf = (appId: number) => (text: string) => {
  const found = useCall(
    appVersionCalls.page,
    { criteria: { ...inCatalogue, appId, ...(text ? { text } : {}) }, page: { size: 50 } },
    { keep: true },
  );
  return {
    choices: (found.data?.content ?? []).map((one) => ({ value: one.id, label: { text: versionWords(one) } })),
    busy: found.fetching,
  };
};
/** Apps of others. */
function useOthersApps(text: string) {
  const found = useCall(appCalls.page, { criteria: { own: false, ...(text ? { text } : {}) }, page: { size: 50 } }, { keep: true });
  return {
    choices: (found.data?.content ?? []).map((one) => ({ value: one.id, label: { text: `${one.name} – ${one.packageName}` } })),
    busy: found.fetching,
  };
}

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
      ...(app ? [] : [{ name: 'appId', label: 'appSubscription.appId', kind: 'one', useChoices: useOthersApps, wide: true } as const]),
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

/** The dialog that is open. */
export function SubscriptionDialogs() {
  const t = useT();
  const open = useStore(asked);
  if (!open) return null;
  const { dialog, row } = open;
  const onClose = () => asked.set(undefined);
  const name = row.side === 'owner' ? row.deptName : row.appName;
  if (dialog === 'update')
    return (
      <FormDialog
        title="appSubscription.update"
        of={name}
        submit="kit.save"
        call={appSubscriptionCalls.update}
        onDone={() => toast('done', t('appSubscription.updated', { name }))}
        initial={{ id: row.id, revision: row.revision, versionId: row.versionId, note: row.note }}
        fields={[
          {
            name: 'versionId',
            label: 'appSubscription.versionId',
            kind: 'one',
            useChoices: versionsOf(row.appId),
            help: 'appSubscription.versionId.help',
            wide: true,
          },
          { name: 'note', label: 'appSubscription.note', kind: 'area', wide: true },
        ]}
        onClose={onClose}
      />
    );
  if (dialog === 'accept')
    return (
      <FormDialog
        title="appSubscription.accept"
        of={name}
        submit="appSubscription.accept"
        call={appSubscriptionCalls.accept}
        onDone={() => toast('done', t('appSubscription.accepted', { name }))}
        initial={{ id: row.id }}
        fields={[{ name: 'validUntil', label: 'appSubscription.validUntil', help: 'appSubscription.validUntil.help' }]}
        onClose={onClose}
      />
    );
  if (dialog === 'refuse')
    return (
      <FormDialog
        title="appSubscription.refuse"
        of={name}
        submit="appSubscription.refuse"
        call={appSubscriptionCalls.refuse}
        onDone={() => toast('done', t('appSubscription.refused', { name }))}
        initial={{ id: row.id }}
        fields={[{ name: 'reason', label: 'appSubscription.reason', kind: 'area', wide: true }]}
        onClose={onClose}
      />
    );
  if (dialog === 'term')
    return (
      <FormDialog
        title="appSubscription.term"
        of={name}
        submit="kit.save"
        call={appSubscriptionCalls.term}
        onDone={() => toast('done', t('appSubscription.termed', { name }))}
        initial={{ id: row.id, revision: row.revision, validUntil: row.validUntil, blacklist: row.blacklist, reason: row.reason }}
        fields={[
          { name: 'validUntil', label: 'appSubscription.validUntil', help: 'appSubscription.validUntil.help' },
          { name: 'blacklist', label: 'appSubscription.blacklist', names: 'appSubscription.blacklist.' },
          { name: 'reason', label: 'appSubscription.reason', kind: 'area', wide: true },
        ]}
        onClose={onClose}
      />
    );
  if (dialog === 'block') {
    const { appId, deptId, deptName } = row;
    return <Block of={{ appId, deptId, deptName }} onClose={onClose} />;
  }
  if (dialog === 'unblock')
    return (
      <FormDialog
        title="appSubscription.unblock"
        of={name}
        submit="appSubscription.unblock"
        call={appSubscriptionCalls.unblock}
        about={<p className="m-muted">{t('appSubscription.unblock.about')}</p>}
        onDone={() => toast('done', t('appSubscription.unblocked', { name }))}
        initial={{ id: row.id }}
        fields={[{ name: 'reason', label: 'appSubscription.reason', kind: 'area', wide: true }]}
        onClose={onClose}
      />
    );
  if (dialog === 'rotate')
    return (
      <MakeDialog
        title="appSubscription.rotate"
        of={name}
        submit="appSubscription.rotate"
        call={appSubscriptionCalls.rotate}
        successText="appSubscription.rotated"
        about={<p className="m-muted">{t('appSubscription.rotate.about')}</p>}
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
  return (
    <MakeDialog
      title="appSubscription.link"
      of={name}
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
