import { signingJobCalls } from '@mooring/contract/signing/job';
import { signingProfileCalls } from '@mooring/contract/signing/profile';
import type { PageAction } from '../../kit/list/types.ts';
import { tabsPage } from '../../kit/tabs-page.tsx';
import { KeyChanges } from './changes.tsx';
import { DeliverSignatures } from './deliver-signatures.tsx';
import { ApproveSignature, Jobs, RefuseSignature, RequestSignature } from './jobs.tsx';
import { Profiles, profileForm } from './profiles.tsx';
import { Verify } from './verify.tsx';

const tabs = [
  { key: 'jobs', title: 'signingJob.title', Body: Jobs },
  { key: 'verify', title: 'verify.title', Body: Verify },
  { key: 'profiles', title: 'signingProfile.title', Body: Profiles },
  { key: 'changes', title: 'signingProfile.changes', Body: () => <KeyChanges of="profile" /> },
] as const;

const actions: readonly PageAction[] = [
  { key: 'profile', label: 'signingProfile.add', icon: 'add', call: signingProfileCalls.add, Dialog: profileForm.Add },
  { key: 'add', label: 'signingJob.add', icon: 'signature', primary: true, call: signingJobCalls.add, Dialog: RequestSignature },
];

/** The dialogs of the lists. */
const Above = () => (
  <>
    <ApproveSignature />
    <RefuseSignature />
    <DeliverSignatures />
    <profileForm.Edit />
  </>
);

/** What is asked to be signed, and who signed what is there. */
export const apkToolPage = tabsPage({ title: 'signingJob.tool', tabs, actions, Above: Above });
