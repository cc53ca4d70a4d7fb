import { systemSettingCalls } from '@mooring/contract/settings/system-calls';
import { useAct } from '../../kit/queries.ts';
import { mayCall, useSession } from '../../kit/session.ts';
import { Button } from '../../ui/button.tsx';
import { toast } from '../../ui/toast.tsx';
import { useT } from '../../ui/words.ts';
import { SettingForm } from './setting-form.tsx';

/** One tile with what is saved. */
function Test() {
  const t = useT();
  const now = useSession();
  const test = useAct(systemSettingCalls.testMap, {
    done: (found) =>
      found.delivered
        ? toast('done', t('settings.map.test.done'))
        : toast('error', t('settings.map.test.failed', { error: found.error ?? '' })),
  });
  if (!mayCall(systemSettingCalls.testMap, now)) return null;
  return (
    <section className="m-panel m-panel-body m-row m-row-wrap">
      <p className="m-muted m-grow">{t('settings.map.test.about')}</p>
      <Button busy={test.busy} onClick={() => test.run({})}>
        {t('settings.map.test')}
      </Button>
    </section>
  );
}

export const MapTab = () => (
  <div className="m-stack">
    <SettingForm
      type="map"
      call={systemSettingCalls.map}
      sections={[
        {
          title: 'settings.map.title',
          text: 'settings.map.about',
          fields: [
            { name: 'url', label: 'settings.map.url', kind: 'text', help: 'settings.map.url.help', wide: true },
            { name: 'key', label: 'settings.map.key', kind: 'text', help: 'settings.map.key.help' },
            { name: 'attribution', label: 'settings.map.attribution', kind: 'text' },
            { name: 'maxZoom', label: 'settings.map.maxZoom', kind: 'number' },
          ],
        },
      ]}
      after={<Test />}
    />
  </div>
);
