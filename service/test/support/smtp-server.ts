/** A small SMTP server on a real socket (RFC 5321): it takes every message, or refuses all of them. */
import { createServer, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';

interface ReceivedMail {
  from: string;
  to: string[];
  /** Headers and text as sent, without dot stuffing. */
  text: string;
}

export interface SmtpServer {
  readonly port: number;
  readonly mails: ReceivedMail[];
  /** `user\0password` of the last login. */
  login: string | undefined;
  isDown: boolean;
}

export async function startSmtpServer(): Promise<SmtpServer> {
  const state = { mails: [] as ReceivedMail[], login: undefined as string | undefined, isDown: false };
  const sockets = new Set<Socket>();
  const smtp: SmtpServer = Object.assign(state, { port: 0 });
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket)).on('error', () => {});
    serve(socket, smtp);
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return Object.assign(smtp, { port: (server.address() as { port: number }).port });
}

function serve(socket: Socket, smtp: SmtpServer): void {
  let [unread, mail] = ['', { from: '', to: [] as string[], text: '' }];
  let inData = false;
  const say = (line: string) => socket.write(`${line}\r\n`);
  if (smtp.isDown) return void say('421 closed for today');
  say('220 test ESMTP');
  socket.on('data', (bytes) => {
    unread += bytes.toString();
    for (let end = unread.indexOf('\r\n'); end >= 0; end = unread.indexOf('\r\n')) {
      const line = unread.slice(0, end);
      unread = unread.slice(end + 2);
      if (!inData) command(line);
      else if (line === '.') {
        inData = false;
        smtp.mails.push(mail);
        mail = { from: '', to: [], text: '' };
        say('250 taken');
      } else mail.text += `${line.startsWith('.') ? line.slice(1) : line}\n`;
    }
  });
  const command = (line: string) => {
    const [word = '', ...rest] = line.split(' ');
    switch (word.toUpperCase()) {
      case 'EHLO':
        return say('250-test\r\n250 AUTH PLAIN');
      case 'AUTH':
        smtp.login = Buffer.from(rest[1] ?? '', 'base64')
          .toString()
          .slice(1);
        return say('235 welcome');
      case 'MAIL':
        mail.from = addressIn(line);
        return say('250 ok');
      case 'RCPT':
        mail.to.push(addressIn(line));
        return say('250 ok');
      case 'DATA':
        inData = true;
        return say('354 go on');
      case 'QUIT':
        say('221 bye');
        return socket.end();
      default:
        return say('250 ok');
    }
  };
}

function addressIn(line: string): string {
  return /<(.*)>/.exec(line)?.[1] ?? '';
}
