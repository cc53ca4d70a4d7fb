import { appVersionCalls } from '@mooring/contract/app/calls';
import { OPS } from '../../kit/base.ts';
import { Link } from '../../kit/link.tsx';
import { Command } from '../../ui/copy-text.tsx';
import { useT } from '../../ui/words.ts';

/** The one command that brings a package without the console. */
export function BuildServer() {
  const t = useT();
  const address = new URL(OPS + appVersionCalls.upload.path, location.href).href;
  return (
    <section className="m-stack-tight">
      <h2 className="m-h2">{t('appVersion.curl')}</h2>
      <p className="m-muted">{t('appVersion.curl.about')}</p>
      <p>
        <Link to="/accountSetting">{t('token.own')}</Link>
      </p>
      {/* A refusal is an answer too, with HTTP status 200: what comes last says it and makes the build fail by it. */}
      <Command
        text={`curl -fsS ${address} -H "Authorization: Bearer $TOKEN" -F 'req={"channel":"release"}' -F file=@app.apk | awk '{ print } /"code":200,/ { ok = 1 } END { exit !ok }'`}
      />
    </section>
  );
}
