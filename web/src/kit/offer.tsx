import type { Call } from '@mooring/contract/kit/call';
import { isAllowed } from '@mooring/contract/kit/permission';
import type { ReactNode } from 'react';
import { Button } from '../ui/button.tsx';
import { linkTo } from './link.tsx';
import { useSession } from './session.ts';

interface Props {
  /** What it comes to there: it is offered to those who may do that. */
  call: Pick<Call, 'can'>;
  to: string;
  /** It is done on the other platform. */
  elsewhere?: boolean;
  look?: 'primary' | 'default';
  children: ReactNode;
}

/** A button that leads to where something is made; nothing for those who could only look on there. */
export function Offer({ call, to, elsewhere = false, look = 'default', children }: Props) {
  const { held, user } = useSession();
  if (!isAllowed(elsewhere ? new Set(user?.permissionsElsewhere) : held, call.can)) return null;
  return (
    <Button look={look} {...linkTo(to)}>
      {children}
    </Button>
  );
}
