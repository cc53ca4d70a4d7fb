import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, constants } from 'node:zlib';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';
import { styled } from './src/ui/antd/component-styles.tsx';

const server = process.env.MOORING_SERVER ?? `http://127.0.0.1:${process.env.SERVER_PORT ?? '8080'}`;

/** The server sends these as they are. */
const packed: Plugin = {
  name: 'brotli-files',
  apply: 'build',
  writeBundle({ dir }) {
    if (!dir) return;
    for (const entry of readdirSync(dir, { recursive: true, withFileTypes: true })) {
      if (!entry.isFile() || !/\.(js|css|svg|json)$/.test(entry.name)) continue;
      const file = join(entry.parentPath, entry.name);
      const body = readFileSync(file);
      writeFileSync(
        `${file}.br`,
        brotliCompressSync(body, { params: { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: body.length } }),
      );
    }
  },
};

/** Few files instead of many small ones: what every page needs, what every list and form needs, and the contract. Calendar and charts stay apart. */
const late =
  /date-range|dates-input|month-days|chart-canvas|qr-?code|ui.map.|kit.form.(config-control|make-dialog|wizard-page|sub-form)|kit.detail|date-picker|time-picker|rc-component.picker|calendar|dayjs|echarts|zrender|contract.src.desktop.(advert|customization|desktop|layout|layout-rules|screen-fit|home-screen|content-\w+)\.ts|contract.src.(inventory|customer|alert|job|paramfile|order|signing|shared.(money|markdown))\b|contract.src.app.(?!app-kind|release-calls)|contract.src.(account.member-calls|auth.register-calls|access.role-calls|settings.webhook-calls|product.category-calls)|contract.src.(product.(thing|model|share|firm)|merchant.(maintenance|opening)|message.notice|file.upload-monitor|stats.compliance|access.(online|review)-calls|account.(policy|real-name|token)-calls|language.label-calls|settings.(kinds|map-tiles|system-calls|change-request-calls|mail-calls|domain-calls|dict-calls)|device.(reg-calls|map.map-calls|position|active)|org.(unit|trust|invite))|antd.(es|lib)?.?locale/;
const within = (parts: RegExp) => (id: string) => parts.test(id) && !late.test(id);
const groups = [
  { name: 'react', test: /node_modules[\\/](react|react-dom|scheduler|react-router|@tanstack)[\\/]/, priority: 4 },
  {
    name: 'ui',
    test: within(
      /web[\\/]src[\\/]ui[\\/]|node_modules[\\/](antd|@ant-design|@rc-component|@emotion|clsx|intl-messageformat|@formatjs)[\\/]/,
    ),
    priority: 3,
  },
  {
    name: 'pages',
    // What several pages of a domain share is small, and would be a file each.
    test: within(
      /web[\\/]src[\\/]kit[\\/](list|form|detail|page|bind)|web[\\/]src[\\/]features[\\/]\w+[\\/](choices|columns|device-table|\w+-acts)\.|features[\\/]device[\\/]groups[\\/]group-links/,
    ),
    priority: 2,
  },
  // Help comes when it is asked for.
  { name: 'contract', test: within(/[\\/]contract[\\/]src[\\/](?!help[\\/])|node_modules[\\/]zod[\\/]/), priority: 1 },
];

export default defineConfig(({ command }) => ({
  root: import.meta.dirname,
  plugins: [react(), styled, packed],
  define: { __GALLERY__: JSON.stringify(command === 'serve') },
  /** Files name each other relative to themselves, so that a build works behind any path prefix; only index.html begins at the root. */
  experimental: {
    renderBuiltUrl: (file: string, { hostType }: { hostType: string }) => (hostType === 'html' ? `/${file}` : { relative: true }),
  },
  build: {
    target: 'es2023',
    outDir: 'dist',
    emptyOutDir: true,
    manifest: true,
    cssCodeSplit: false,
    sourcemap: false,
    chunkSizeWarningLimit: 1500,
    assetsInlineLimit: 0,
    rolldownOptions: {
      // Most of a build is packing what it made: nothing that whoever starts the product could mend.
      checks: { bundlerTimings: false },
      output: {
        codeSplitting: { groups },
      },
    },
  },
  server: {
    port: Number(process.env.WEB_PORT ?? 5173),
    proxy: { '/ops': { target: server, ws: true }, '^/d/': { target: server } },
  },
}));
