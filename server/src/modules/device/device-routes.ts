import { EnrolBody, NonceBody, ProofBody, RenewBody } from '@mooring/contract/device/http-messages';
import { RENEW_AFTER, TOKEN_HOURS } from '@mooring/contract/device/limits';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { AppContext } from '../../platform/app-context.ts';
import type { DeviceAuthority } from '../../platform/gateway/device-authority.ts';
import { makeDeviceToken } from '../../platform/gateway/device-token.ts';
import type { ReleaseKeys } from '../../platform/gateway/release-keys.ts';
import { sharedRate } from '../../platform/rate.ts';
import { homeOf } from '../../platform/unproven.ts';
import { brokerUrls } from './broker-urls.ts';
import { type Enrolled, enrol, issueFor } from './enrol.ts';
import { makeNonce } from './factory-proof.ts';
import { proofText, proveDevice } from './prove-device.ts';

const ASK_AGAIN_SECONDS = 30;
/** Who guesses waits. Successes are free: all terminals of a shop come from one address. */
const FAILURES = { most: 30, perMs: 60_000 };

export interface EnrolmentServices {
  readonly authority: DeviceAuthority;
  readonly releases: ReleaseKeys;
}

/** Enrolment, renewal and tokens: plain JSON, since these callers are terminals (docs/device-protocol.md). */
export function serveDevices(http: FastifyInstance, app: AppContext, door: () => Promise<EnrolmentServices>): void {
  const rate = sharedRate(app);
  const noteFailure = (request: FastifyRequest) => rate(`failure ${homeOf(request.ip)}`, FAILURES);
  const refuse = (reply: FastifyReply, status: number, error: string) => reply.code(status).send({ error, time: app.now().toISOString() });

  /** A token only where there is a plain broker to show it to; an empty one has ended already. */
  async function credentials(request: FastifyRequest, sn: string, gen: number, hours: number) {
    const { authority, releases } = await door();
    const mqtt = brokerUrls(app.config, request);
    const held = mqtt.plain === null ? 0 : hours;
    const expiresAt = new Date(app.now().getTime() + held * 3_600_000);
    return {
      sn,
      token: held === 0 ? '' : makeDeviceToken(app.masterKey, { sn, gen, expiresAt }),
      tokenExpiresAt: expiresAt.toISOString(),
      root: authority.root,
      releaseRoot: releases.root,
      mqtt,
      time: app.now().toISOString(),
    };
  }
  async function answer(request: FastifyRequest, reply: FastifyReply, sn: string, result: Enrolled) {
    if (result.state === 'asking')
      return reply.code(202).header('retry-after', ASK_AGAIN_SECONDS).send({ state: 'asking', time: app.now().toISOString() });
    if (result.state === 'refused') {
      await noteFailure(request);
      return refuse(reply, 403, result.reason);
    }
    const { issued, gen, heartbeatSeconds, isFresh } = result;
    const renewAt = new Date(issued.issuedAt.getTime() + (issued.expiresAt.getTime() - issued.issuedAt.getTime()) * RENEW_AFTER);
    return reply.send({
      state: 'enrolled',
      ...(await credentials(request, sn, gen, isFresh ? TOKEN_HOURS.enrolled : 0)),
      certificate: issued.pem,
      expiresAt: issued.expiresAt.toISOString(),
      renewAt: renewAt.toISOString(),
      heartbeatSeconds,
    });
  }
  const route = (url: string, handler: (request: FastifyRequest, reply: FastifyReply) => Promise<unknown>) =>
    http.post(url, { bodyLimit: 32 * 1024 }, async (request, reply) => {
      const seconds = await rate(`failure ${homeOf(request.ip)}`, FAILURES, 0);
      if (seconds > 0) return refuse(reply.header('retry-after', seconds), 429, 'TOO_MANY');
      return handler(request, reply);
    });

  route('/d/enrol', async (request, reply) => {
    const body = EnrolBody.safeParse(request.body);
    if (!body.success) return refuse(reply, 400, 'BAD_INPUT');
    return answer(request, reply, body.data.sn, await enrol(app, (await door()).authority, { ...body.data, ip: request.ip }));
  });
  route('/d/nonce', async (request, reply) => {
    const body = NonceBody.safeParse(request.body);
    if (!body.success) return refuse(reply, 400, 'BAD_INPUT');
    const { nonce, expiresAt } = makeNonce(app.masterKey, body.data.sn, app.now());
    return reply.send({ nonce, expiresAt: expiresAt.toISOString(), time: app.now().toISOString() });
  });
  route('/d/renew', async (request, reply) => {
    const body = RenewBody.safeParse(request.body);
    if (!body.success) return refuse(reply, 400, 'BAD_INPUT');
    const { authority } = await door();
    const result = await app.unscoped(async (db): Promise<Enrolled> => {
      const device = await proveDevice(db, proofText('renew', body.data, body.data.request), body.data, app.now());
      if (!device || device === 'clock') return { state: 'refused', reason: device === 'clock' ? 'CLOCK' : 'PROOF_WRONG' };
      return issueFor(db, app, authority, { ...device, request: body.data.request });
    });
    return answer(request, reply, body.data.sn, result);
  });
  route('/d/token', async (request, reply) => {
    const body = ProofBody.safeParse(request.body);
    // A token renews nothing: who overheard one would have it for ever.
    if (!body.success) return refuse(reply, 400, 'BAD_INPUT');
    const device = await app.unscoped((db) => proveDevice(db, proofText('token', body.data), body.data, app.now()));
    if (!device || device === 'clock') {
      await noteFailure(request);
      return refuse(reply, 403, device === 'clock' ? 'CLOCK' : 'PROOF_WRONG');
    }
    return reply.send(await credentials(request, device.sn, device.gen, TOKEN_HOURS.asked));
  });
  http.get('/d/ca.pem', async (_request, reply) => {
    const { authority } = await door();
    return reply.type('application/x-pem-file').send(`${authority.root.trim()}\n${authority.issuer.trim()}\n`);
  });
  http.get('/d/crl.pem', async (_request, reply) => reply.type('application/x-pem-file').send(await (await door()).authority.crl()));
}
