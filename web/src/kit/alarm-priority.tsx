import type { AlarmPriority } from '@mooring/contract/alert/rule';
import type { z } from 'zod';
import { Tag } from '../ui/status-tag.tsx';
import { useT } from '../ui/words.ts';

const tones = { 1: 'danger', 2: 'warn', 3: 'plain' } as const;
export function Priority({ of }: { of: z.infer<typeof AlarmPriority> }) {
  const t = useT();
  return <Tag tone={tones[of]}>{t(`alert.priority.${of}`)}</Tag>;
}
