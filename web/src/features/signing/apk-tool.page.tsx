import { signingJobCalls } from '@mooring/contract/signing/job';
import { signingProfileCalls } from '@mooring/contract/signing/profile';
import { PageActions } from '../../kit/list/page-actions.tsx';
import type { PageAction } from '../../kit/list/types.ts';
import { PageHead } from '../../kit/page-head.tsx';
import { chooseSearch, useView } from '../../kit/view.ts';
import { Tabs } from '../../ui/tabs.tsx';
import { useT } from '../../ui/words.ts';
import { DeliverSignatures } from './deliver-signatures.tsx';
import { ApproveSignature, Jobs, RefuseSignature, RequestSignature } from './jobs.tsx';
import { Profiles, profileForm } from './profiles.tsx';
import { Verify } from './verify.tsx';

const tabs = [
  { key: 'jobs', title: 'signingJob.title', Body: Jobs },
  { key: 'verify', title: 'verify.title', Body: Verify },
  { key: 'profiles', title: 'signingProfile.title', Body: Profiles },
] as const;

const actions: readonly PageAction[] = [
  { key: 'profile', label: 'signingProfile.add', icon: 'add', call: signingProfileCalls.add, Dialog: profileForm.Add },
  { key: 'add', label: 'signingJob.add', icon: 'signature', primary: true, call: signingJobCalls.add, Dialog: RequestSignature },
];

/** What is asked to be signed, and who signed what is there. */
function SigningTool() {
  const t = useT();
  const view = useView();
  const active = tabs.find((tab) => tab.key === view.search.get('tab')) ?? tabs[0];
  return (
    <div className="m-page m-page-fill">
      <PageHead title={t('signingJob.tool')}>
        <PageActions actions={actions} addressed />
      </PageHead>
      <ApproveSignature />
      <RefuseSignature />
      <DeliverSignatures />
      <profileForm.Edit />
      <Tabs
        active={active.key}
        onChange={(key) => chooseSearch(view, new URLSearchParams(key === tabs[0].key ? {} : { tab: key }))}
        items={tabs.map((tab) => ({ key: tab.key, label: t(tab.title), children: tab.key === active.key ? <tab.Body /> : null }))}
      />
    </div>
  );
}

export const apkToolPage = { View: SigningTool, actions };
