/** A passkey in software: what `navigator.credentials` gives, of one ES256 key. WebAuthn Level 3, sections 5.8.1, 6.1 and 6.5.1; CTAP's CBOR. */
import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto';

const PRESENT = 0x01;
const VERIFIED = 0x04;
const WITH_CREDENTIAL = 0x40;

export class Authenticator {
  readonly #id = randomBytes(16);
  readonly #origin: string;
  readonly #attestation: 'none' | 'packed';
  #keys = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  #counter = 0;
  /** True if it checks a fingerprint, a face or a PIN. */
  verifies = true;

  /** @param attestation `packed` is signed by the key itself */
  constructor(origin: string, attestation: 'none' | 'packed' = 'none') {
    this.#origin = origin;
    this.#attestation = attestation;
  }

  /** Replaces the key by one that is not registered. */
  changeKey(): void {
    this.#keys = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  }

  create({ challenge, rp }: { challenge: string; rp: { id: string } }) {
    const { x = '', y = '' } = this.#keys.publicKey.export({ format: 'jwk' });
    const key = Buffer.concat([
      Buffer.from([0xa5, 0x01, 0x02, 0x03, 0x26, 0x20, 0x01, 0x21, 0x58, 0x20]),
      Buffer.from(x, 'base64url'),
      Buffer.from([0x22, 0x58, 0x20]),
      Buffer.from(y, 'base64url'),
    ]);
    const credential = Buffer.concat([Buffer.alloc(16), Buffer.from([0, this.#id.length]), this.#id, key]);
    const data = Buffer.concat([this.#data(rp.id, WITH_CREDENTIAL), credential]);
    const client = this.#client('webauthn.create', challenge);
    const attestation = Buffer.concat([
      Buffer.from([0xa3]),
      cborText('fmt'),
      cborText(this.#attestation),
      cborText('attStmt'),
      this.#attestation === 'none' ? Buffer.from([0xa0]) : this.#statement(data, client),
      cborText('authData'),
      Buffer.from([0x58, data.length]),
      data,
    ]);
    return this.#credential({
      clientDataJSON: client.toString('base64url'),
      attestationObject: attestation.toString('base64url'),
      transports: ['internal'],
    });
  }

  get({ challenge, rpId }: { challenge: string; rpId: string }) {
    this.#counter++;
    const data = this.#data(rpId, 0);
    const client = this.#client('webauthn.get', challenge);
    return this.#credential({
      clientDataJSON: client.toString('base64url'),
      authenticatorData: data.toString('base64url'),
      signature: this.#sign(data, client).toString('base64url'),
    });
  }

  /** `{alg: -7, sig}` */
  #statement(data: Buffer, client: Buffer): Buffer {
    const signature = this.#sign(data, client);
    return Buffer.concat([
      Buffer.from([0xa2]),
      cborText('alg'),
      Buffer.from([0x26]),
      cborText('sig'),
      Buffer.from([0x58, signature.length]),
      signature,
    ]);
  }

  #sign(data: Buffer, client: Buffer): Buffer {
    return sign('sha256', Buffer.concat([data, createHash('sha256').update(client).digest()]), this.#keys.privateKey);
  }

  #credential<T>(response: T) {
    const id = this.#id.toString('base64url');
    return { id, rawId: id, type: 'public-key', clientExtensionResults: {}, response };
  }

  #data(rpId: string, flags: number): Buffer {
    const counter = Buffer.alloc(4);
    counter.writeUInt32BE(this.#counter);
    return Buffer.concat([
      createHash('sha256').update(rpId).digest(),
      Buffer.from([flags | PRESENT | (this.verifies ? VERIFIED : 0)]),
      counter,
    ]);
  }

  #client(type: string, challenge: string): Buffer {
    return Buffer.from(JSON.stringify({ type, challenge, origin: this.#origin, crossOrigin: false }));
  }
}

function cborText(text: string): Buffer {
  return Buffer.concat([Buffer.from([0x60 + text.length]), Buffer.from(text)]);
}
