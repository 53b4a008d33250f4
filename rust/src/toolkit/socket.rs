//! The task of one socket to the service, from its opening to its end: sends and receives texts.
//!
//! Source: docs/protocol.md, section 6; RFC 6455.
use super::{
    connection::{Connection, Mail},
    event::{Event, EventSender},
    fault::{Fault, closed_with, network_fault, refused_upgrade},
    frames::{ABNORMAL, NORMAL},
};
use crate::http::reason_of;
use futures_util::{
    SinkExt, StreamExt,
    stream::{SplitSink, SplitStream},
};
use reqwest::{Client, Response, StatusCode, Upgraded, header};
use std::{sync::Arc, time::Duration};
use tokio::{
    sync::mpsc::{self, UnboundedReceiver},
    time::timeout,
};
use tokio_tungstenite::{
    WebSocketStream,
    tungstenite::{
        Error, Message,
        handshake::{client::generate_key, derive_accept_key},
        protocol::{CloseFrame, Role, WebSocketConfig},
    },
};
use tracing::{Dispatch, instrument::WithSubscriber};

/// The limit for the upgrade and the registration together.
pub(crate) const OPEN_TIME: Duration = Duration::from_secs(20);
/// The limit for the closing handshake, after which the socket is cut.
const CLOSE_TIME: Duration = Duration::from_secs(2);
/// A service sends frames of at most 8 MiB.
const MAX_FRAME_BYTES: usize = 16 * 1024 * 1024;
/// The library's default of 128 KiB would be most of the memory of an idle toolkit.
const BUFFER_BYTES: usize = 16 * 1024;
const MAX_PROBLEM_BYTES: usize = 64 * 1024;
/// The number of frames that are written before the next read of the socket.
const BATCH: usize = 64;

/// The address and the key of the service.
#[derive(Debug)]
pub(crate) struct Target {
    pub(crate) client: Client,
    pub(crate) url: String,
    pub(crate) api_key: String,
}

/// Opens a socket, whose messages become events.
pub(crate) async fn open(target: Arc<Target>, id: u64, events: EventSender) -> Result<Connection, Fault> {
    let upgraded = timeout(OPEN_TIME, upgrade(&target)).await;
    let upgraded = upgraded.map_err(|_| network_fault(&target.url, format!("no answer within {} s", OPEN_TIME.as_secs())))??;
    let config = WebSocketConfig::default()
        .read_buffer_size(BUFFER_BYTES)
        .write_buffer_size(BUFFER_BYTES)
        .max_message_size(Some(MAX_FRAME_BYTES))
        .max_frame_size(Some(MAX_FRAME_BYTES));
    let socket = WebSocketStream::from_raw_socket(upgraded, Role::Client, Some(config)).await;
    let (outbox, mail) = mpsc::unbounded_channel();
    // tungstenite logs whole frames at the level `trace`. A frame may hold the connection of a call.
    let task = tokio::spawn(serve(socket, mail, id, events).with_subscriber(Dispatch::none()));
    Ok(Connection::new(id, outbox, task))
}

/// The HTTP stack of the agent's side is used, which supports proxies, TLS and the problem document of a refused key.
async fn upgrade(target: &Target) -> Result<Upgraded, Fault> {
    let fault = |error: reqwest::Error| network_fault(&target.url, reason_of(error));
    let key = generate_key();
    let request = target
        .client
        .get(&target.url)
        .bearer_auth(&target.api_key)
        .header(header::CONNECTION, "Upgrade")
        .header(header::UPGRADE, "websocket")
        .header(header::SEC_WEBSOCKET_VERSION, "13")
        .header(header::SEC_WEBSOCKET_KEY, &key);
    let mut response = request.send().await.map_err(fault)?;
    if response.status() != StatusCode::SWITCHING_PROTOCOLS {
        let body = read_problem(&mut response).await;
        return Err(refused_upgrade(&target.url, response.status().as_u16(), &body));
    }
    if response.headers().get(header::SEC_WEBSOCKET_ACCEPT).is_none_or(|accept| *accept != derive_accept_key(key.as_bytes())) {
        return Err(network_fault(&target.url, "the answer to the upgrade is not that of a WebSocket server"));
    }
    response.upgrade().await.map_err(fault)
}

async fn read_problem(response: &mut Response) -> String {
    let mut body = Vec::new();
    while let Ok(Some(chunk)) = response.chunk().await
        && body.len() < MAX_PROBLEM_BYTES
    {
        body.extend_from_slice(&chunk);
    }
    String::from_utf8_lossy(&body).into_owned()
}

type Socket = WebSocketStream<Upgraded>;

async fn serve(socket: Socket, mail: UnboundedReceiver<Mail>, id: u64, events: EventSender) {
    let (sink, mut stream) = socket.split();
    let mut reading = std::pin::pin!(read(&mut stream, id, &events));
    tokio::select! {
        () = &mut reading => {}
        // The writer ends with the close frame, or because the reader will report an error.
        () = write(sink, mail) => {
            if timeout(CLOSE_TIME, reading).await.is_err() {
                events.send(Event::Closed { connection: id, fault: closed_with(ABNORMAL, "") });
            }
        }
    }
}

/// Reads until the socket is closed.
async fn read(stream: &mut SplitStream<Socket>, id: u64, events: &EventSender) {
    let fault = loop {
        match stream.next().await {
            Some(Ok(Message::Text(text))) => events.send(Event::Message { connection: id, text }),
            // Other frames are not part of the protocol.
            Some(Ok(Message::Binary(_))) => events.send(Event::Message { connection: id, text: "".into() }),
            Some(Ok(Message::Close(frame))) => {
                break frame.map_or_else(|| closed_with(ABNORMAL, ""), |frame| closed_with(frame.code.into(), &frame.reason));
            }
            Some(Ok(_)) => {}
            Some(Err(Error::ConnectionClosed)) | None => break closed_with(ABNORMAL, ""),
            Some(Err(error)) => break closed_with(ABNORMAL, &error.to_string()),
        }
    };
    events.send(Event::Closed { connection: id, fault });
    // The answer to the close frame is sent while the stream is read.
    let _ = timeout(CLOSE_TIME, async { while stream.next().await.is_some_and(|message| message.is_ok()) {} }).await;
}

/// Writes until this side closes.
async fn write(mut sink: SplitSink<Socket, Message>, mut mail: UnboundedReceiver<Mail>) {
    let mut batch = Vec::with_capacity(BATCH);
    while mail.recv_many(&mut batch, BATCH).await > 0 {
        for each in batch.drain(..) {
            match each {
                Mail::Frame(frame) => {
                    if sink.feed(Message::text(frame)).await.is_err() {
                        return;
                    }
                }
                Mail::Close(code) => return close(sink, code).await,
            }
        }
        if sink.flush().await.is_err() {
            return;
        }
    }
    close(sink, NORMAL).await;
}

async fn close(mut sink: SplitSink<Socket, Message>, code: u16) {
    let frame = CloseFrame { code: code.into(), reason: "".into() };
    let _ = timeout(CLOSE_TIME, sink.send(Message::Close(Some(frame)))).await;
}
