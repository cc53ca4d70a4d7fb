import { memberCalls } from '@mooring/contract/account/member-calls';
import { NoMail, useSends } from '../../kit/no-mail.tsx';
import { ImportSheet } from '../../kit/upload/import-sheet.tsx';

/** Each person's password is mailed: without a mail server nobody would get in. */
export function ImportMembers({ onClose }: { onClose: () => void }) {
  const sends = useSends();
  return (
    <ImportSheet
      title="member.import.title"
      about="member.import.about"
      take="member.import.take"
      call={memberCalls.import}
      template={memberCalls.template}
      fileName="members.xlsx"
      names="member."
      blocked={sends ? undefined : <NoMail instead="member.import.unset" />}
      onClose={onClose}
    />
  );
}
