import { appVersionCalls, developerCalls } from '@mooring/contract/app/calls';
import { Developer } from '@mooring/contract/app/schemas';
import type { OutputOf } from '@mooring/contract/kit/call';
import { useEffect, useState } from 'react';
import { CallFailed } from '../../kit/dead-end.tsx';
import { FormDialog } from '../../kit/form/form-dialog.tsx';
import { ListView } from '../../kit/list/list-view.tsx';
import { PageActions } from '../../kit/list/page-actions.tsx';
import { PageHead } from '../../kit/page-head.tsx';
import { useCall } from '../../kit/queries.ts';
import { fieldsOf } from '../../kit/resource/entity-field.ts';
import { mayCall } from '../../kit/session.ts';
import { chooseSearch, goSearch, searchNow, useView } from '../../kit/view.ts';
import { Button } from '../../ui/button.tsx';
import { Empty, Note, PageSkeleton } from '../../ui/states.tsx';
import { Tabs } from '../../ui/tabs.tsx';
import { useFormat, useT } from '../../ui/words.ts';
import { ownList } from './apps.tsx';
import { BuildServer } from './build-server.tsx';
import { Sdks, sdkList } from './sdks.tsx';
import { Upload } from './upload.tsx';

type Own = OutputOf<typeof developerCalls.own>;
const fields = fieldsOf(Developer, [
  'contactName',
  'email',
  'phone',
  { name: 'website', kind: 'text' },
  { name: 'about', kind: 'area', wide: true },
]);

function Apply({ own, onClose }: { own: Own; onClose: () => void }) {
  const { contactName, email, phone, website, about } = own ?? {};
  return (
    <FormDialog
      title="developer.applyTitle"
      submit={own ? 'developer.applyAgain' : 'developer.apply'}
      call={developerCalls.apply}
      successText="developer.applied"
      wide
      initial={own ? { contactName, email, phone, website, about } : {}}
      fields={fields as never}
      onClose={onClose}
    />
  );
}

/** Where the organisation stands, in words. */
function Standing({ own }: { own: NonNullable<Own> }) {
  const t = useT();
  const format = useFormat();
  const { deptName: name, reason, state } = own;
  if (state === 'applied') return <Note>{t('developer.appliedText', { name, at: format.moment(String(own.appliedAt)) })}</Note>;
  if (state === 'refused') return <Note tone="warn">{t('developer.refusedText', { name, reason })}</Note>;
  if (state === 'suspended') return <Note tone="warn">{t('developer.suspendedText', { name, reason })}</Note>;
  return null;
}

type Opening = 'apply' | 'upload';
const may = (own: Own) => ({
  apply: mayCall(developerCalls.apply) && (own === null || own.state === 'refused'),
  upload: own?.state === 'accepted' && mayCall(appVersionCalls.add),
});

interface Part {
  readonly own: Own;
  readonly onOpen: (what: Opening) => void;
}
function Acts({ own, onOpen }: Part) {
  const t = useT();
  const { apply, upload } = may(own);
  if (upload)
    return (
      <Button look="primary" icon="upload" onClick={() => onOpen('upload')}>
        {t('appVersion.uploadNew')}
      </Button>
    );
  return apply && own ? (
    <Button look="primary" onClick={() => onOpen('apply')}>
      {t('developer.applyAgain')}
    </Button>
  ) : null;
}

function Centre({ own, onOpen }: Part) {
  const t = useT();
  return (
    <>
      {own ? <Standing own={own} /> : null}
      {own ? (
        <ListView spec={ownList} fixed={{ own: true }} />
      ) : (
        <Empty icon="developer" title={t('developer.become')} text={t('developer.becomeText')}>
          {may(own).apply ? (
            <Button look="primary" onClick={() => onOpen('apply')}>
              {t('developer.apply')}
            </Button>
          ) : null}
        </Empty>
      )}
      {may(own).upload ? <BuildServer /> : null}
    </>
  );
}

/** An organisation applies to bring apps, and then has its own here; beside them what it builds with. */
function Developers() {
  const t = useT();
  const view = useView();
  const { data, error, retry } = useCall(developerCalls.own, {});
  const [open, setOpen] = useState<Opening>();
  const wanted = view.active && data !== undefined && view.search.get('do') === 'upload';
  const mayUpload = data !== undefined && may(data).upload;
  useEffect(() => {
    if (!wanted) return;
    if (mayUpload) setOpen('upload');
    const search = searchNow(view);
    search.delete('do');
    goSearch(view, search);
  }, [wanted, mayUpload, view]);
  if (data === undefined) return error ? <CallFailed error={error} onRetry={retry} /> : <PageSkeleton />;
  const active = view.search.get('tab') === 'sdk' ? 'sdk' : 'apps';
  const bodies = { apps: <Centre own={data} onOpen={setOpen} />, sdk: <Sdks /> };
  return (
    <div className="m-page m-page-fill">
      <PageHead title={t('app.dev.title')}>
        {active === 'sdk' ? <PageActions actions={sdkList.actions ?? []} /> : <Acts own={data} onOpen={setOpen} />}
      </PageHead>
      <Tabs
        active={active}
        untitled
        onChange={(key) => chooseSearch(view, new URLSearchParams(key === 'apps' ? {} : { tab: key }))}
        items={(['apps', 'sdk'] as const).map((key) => ({
          key,
          label: t(key === 'apps' ? 'app.many' : 'sdk.tab'),
          children: key === active ? bodies[key] : null,
        }))}
      />
      {open === 'apply' ? <Apply own={data} onClose={() => setOpen(undefined)} /> : null}
      {open === 'upload' ? <Upload onClose={() => setOpen(undefined)} /> : null}
    </div>
  );
}

export const devPage = { View: Developers };
