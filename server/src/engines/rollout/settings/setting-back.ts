import { type BackOf, broughtBefore, type WayBack } from '../had-before.ts';

interface SettingBack {
  readonly was?: NonNullable<BackOf['was']>;
  /** What puts back what was there before anything was set. */
  reset(content: object): object;
  /** Whether content makes a version, where the server can tell: a terminal may have said anything of what it was sent. */
  makes?(content: object, version: string): boolean;
}

/** What was set before, as the release that set it on those terminals said it; where nothing was set, that is put back. */
export const settingBack = ({ reset, was, makes }: SettingBack): BackOf => ({
  ...(was ? { was } : {}),
  async to(ctx, task, had) {
    const earlier = await broughtBefore(ctx, task, had);
    const ways = new Map<string | null, WayBack>([[null, { content: reset(task.content as object) }]]);
    for (const [version, { content }] of earlier)
      if (makes?.(content as object, version) ?? true) ways.set(version, { content: content as object });
    return ways;
  },
});
