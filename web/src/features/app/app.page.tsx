import { appCallbackCalls } from '@mooring/contract/app/callback';
import { appCalls, appVersionCalls } from '@mooring/contract/app/calls';
import { appSubscriptionCalls } from '@mooring/contract/app/subscription';
import type { OutputOf } from '@mooring/contract/kit/call';
import { useState } from 'react';
import { CallFailed } from '../../kit/dead-end.tsx';
import { detailPage } from '../../kit/detail/detail-page.tsx';
import { FormDialog } from '../../kit/form/form-dialog.tsx';
import { ListView } from '../../kit/list/list-view.tsx';
import { useCall } from '../../kit/queries.ts';
import { mayCall } from '../../kit/session.ts';
import { Button } from '../../ui/button.tsx';
import { PageSkeleton } from '../../ui/states.tsx';
import { toast } from '../../ui/toast.tsx';
import { useT } from '../../ui/words.ts';
import { AppIcon } from './app-icon.tsx';
import { Audience } from './audience.tsx';
import { Block } from './block.tsx';
import { Callback } from './callback.tsx';
import { History } from './history.tsx';
import { ListingView } from './listing-view.tsx';
import { OwnSubscription, SubscribeHere } from './own-subscription.tsx';
import { VersionState } from './state-cells.tsx';
import { Upload } from './upload.tsx';
import type { Version } from './versions.tsx';
import { versionsOfApp } from './versions.tsx';

type Row = OutputOf<typeof appCalls.detail>;

const Versions = ({ row }: { row: Row }) => <ListView spec={versionsOfApp} fixed={{ appId: row.id }} queryPrefix="v." />;

/** What the newest version that the reader sees says. */
function OfNewest({ row, Body }: { row: Row; Body: typeof ListingView }) {
  const { data, error, retry } = useCall(appVersionCalls.detail, { id: row.versionId ?? 0 }, { enabled: row.versionId !== null });
  if (!data) return error ? <CallFailed part error={error} onRetry={retry} /> : <PageSkeleton />;
  return <Body row={data as Version} />;
}
const Listing = ({ row }: { row: Row }) => <OfNewest row={row} Body={ListingView} />;
const For = ({ row }: { row: Row }) => <OfNewest row={row} Body={Audience} />;

function Acts({ row }: { row: Row }) {
  const t = useT();
  const [open, setOpen] = useState(false);
  const [isMode, setMode] = useState(false);
  const [isBlock, setBlock] = useState(false);
  if (!row.own) return <SubscribeHere row={row} />;
  return (
    <>
      {mayCall(appSubscriptionCalls.mode) ? (
        <Button icon="subscription" onClick={() => setMode(true)}>
          {t('appSubscription.mode')}
        </Button>
      ) : null}
      {mayCall(appSubscriptionCalls.block) ? <Button onClick={() => setBlock(true)}>{t('appSubscription.block')}</Button> : null}
      {isBlock ? <Block of={{ appId: row.id }} onClose={() => setBlock(false)} /> : null}
      {isMode ? (
        <FormDialog
          title="appSubscription.mode"
          submit="kit.save"
          call={appSubscriptionCalls.mode}
          onDone={() => toast('done', t('appSubscription.mode.saved', { name: row.name }))}
          initial={{ appId: row.id, mode: row.subscription }}
          fields={[{ name: 'mode', label: 'app.subscription', names: 'app.subscription.' }]}
          onClose={() => setMode(false)}
        />
      ) : null}
      {mayCall(appVersionCalls.add) ? (
        <Button look="primary" icon="upload" onClick={() => setOpen(true)}>
          {t('appVersion.upload')}
        </Button>
      ) : null}
      {open ? <Upload appId={row.id} name={row.name} onClose={() => setOpen(false)} /> : null}
    </>
  );
}

/** An app as its owner, a reviewer or whoever it is for sees it. */
export const appPage = detailPage({
  call: appCalls.detail,
  nameOf: (row) => row.name,
  // One that is listed stays so while the next one is on its way.
  note: (row) => <VersionState of={row.listedCode === null ? row : { reviewState: '2', publishState: '1', channel: row.channel }} />,
  facts: [
    { key: 'packageName', title: 'app.packageName', kind: 'code' },
    { key: 'deptName', title: 'app.deptId', when: (row) => row.deptName !== '' },
    {
      key: 'listedName',
      title: 'app.listedName',
      when: (row) => row.listedCode !== null,
      cell: (row) => row.listedName || String(row.listedCode),
    },
    { key: 'products', title: 'app.products', when: (row) => row.products.length > 0, cell: (row) => row.products.join(', ') },
    { key: 'subscription', title: 'app.subscription', kind: 'name', names: 'app.subscription.', when: (row) => row.own },
    { key: 'updatedAt', title: 'app.updatedAt', kind: 'moment' },
  ],
  slots: { picture: ({ row }) => <AppIcon id={row.iconId} size={56} />, acts: Acts, above: OwnSubscription },
  tabs: [
    { key: 'versions', title: 'appVersion.title', Body: Versions },
    { key: 'listing', title: 'appVersion.tab.listing', when: (row) => row.versionId !== null, Body: Listing },
    { key: 'audience', title: 'appVersion.section.audience', when: (row) => row.versionId !== null, Body: For },
    { key: 'callback', title: 'appCallback.title', when: (row) => row.own && mayCall(appCallbackCalls.detail), Body: Callback },
    { key: 'history', title: 'appVersion.tab.history', when: (row) => row.own, Body: History },
  ],
});
