import type { ControlPart } from '../../kit/form/types.ts';
import { NoMail, useSends } from '../../kit/no-mail.tsx';
import { MultiSelect } from '../../ui/controls.tsx';
import { useT } from '../../ui/words.ts';

/** How something is told besides; mail can't be chosen where none leaves, and why that is so stands below. */
export const channelsControl = (names: 'message.channel.' | 'notice.channels.') =>
  function Channels({ value = [], onChange, onBlur, disabled }: ControlPart<string[] | undefined>) {
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
  };
