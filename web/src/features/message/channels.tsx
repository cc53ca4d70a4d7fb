import type { ControlPart } from '../../kit/form/types.ts';
import { NoMail, useSends } from '../../kit/no-mail.tsx';
import { MultiSelect } from '../../ui/controls.tsx';
import { useT } from '../../ui/words.ts';

type Part = ControlPart<string[] | undefined>;

/** How something is told besides; mail can't be chosen where none leaves, and why that is so stands below. */
function Channels({ value = [], onChange, onBlur, disabled, names }: Part & { names: 'message.channel.' | 'notice.channels.' }) {
  const t = useT();
  const sends = useSends();
  return (
    <div className="m-stack-tight">
      <MultiSelect
        value={value}
        onChange={onChange}
        onBlur={onBlur}
        disabled={disabled}
        options={[
          { value: 'popup', label: t(`${names}popup`) },
          { value: 'email', label: t(`${names}email`), disabled: !sends },
        ]}
      />
      <NoMail />
    </div>
  );
}

export const MessageChannels = (part: Part) => <Channels {...part} names="message.channel." />;
export const NoticeChannels = (part: Part) => <Channels {...part} names="notice.channels." />;
