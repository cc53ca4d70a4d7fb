import { appVersionCalls, developerCalls } from '@mooring/contract/app/calls';
import { Developer } from '@mooring/contract/app/schemas';
import type { OutputOf } from '@mooring/contract/kit/call';
import { useState } from 'react';
import { CallFailed } from '../../kit/dead-end.tsx';
import { FormDialog } from '../../kit/form/form-dialog.tsx';
import { ListView } from '../../kit/list/list-view.tsx';
import { PageHead } from '../../kit/page-head.tsx';
import { useCall } from '../../kit/queries.ts';
import { fieldsOf } from '../../kit/resource/entity-field.ts';
import { mayCall } from '../../kit/session.ts';
import { Button } from '../../ui/button.tsx';
import { Empty, Note, PageSkeleton } from '../../ui/states.tsx';
import { useFormat, useT } from '../../ui/words.ts';
import { ownList } from './apps.tsx';
import { BuildServer } from './build-server.tsx';
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

function Centre({ own }: { own: Own }) {
  const t = useT();
  const [open, setOpen] = useState<'apply' | 'upload'>();
  const mayApply = mayCall(developerCalls.apply) && (own === null || own.state === 'refused');
  const mayUpload = own?.state === 'accepted' && mayCall(appVersionCalls.add);
  return (
    <>
      <PageHead title={t('app.dev.title')}>
        {mayUpload ? (
          <Button look="primary" icon="upload" onClick={() => setOpen('upload')}>
            {t('appVersion.uploadNew')}
          </Button>
        ) : null}
        {mayApply && own ? (
          <Button look="primary" onClick={() => setOpen('apply')}>
            {t('developer.applyAgain')}
          </Button>
        ) : null}
      </PageHead>
      {own ? <Standing own={own} /> : null}
      {own ? (
        <ListView spec={ownList} fixed={{ own: true }} />
      ) : (
        <Empty icon="developer" title={t('developer.become')} text={t('developer.becomeText')}>
          {mayApply ? (
            <Button look="primary" onClick={() => setOpen('apply')}>
              {t('developer.apply')}
            </Button>
          ) : null}
        </Empty>
      )}
      {mayUpload ? <BuildServer /> : null}
      {open === 'apply' ? <Apply own={own} onClose={() => setOpen(undefined)} /> : null}
      {open === 'upload' ? <Upload onClose={() => setOpen(undefined)} /> : null}
    </>
  );
}

/** An organisation applies to bring apps, and then has its own here. */
function Developers() {
  const { data, error, retry } = useCall(developerCalls.own, {});
  if (data === undefined) return error ? <CallFailed error={error} onRetry={retry} /> : <PageSkeleton />;
  return (
    <div className="m-page m-page-fill">
      <Centre own={data} />
    </div>
  );
}

export const devPage = { View: Developers };
