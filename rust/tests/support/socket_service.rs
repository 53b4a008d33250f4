//! The service's side of toolkit sockets, played by a test frame by frame.
use super::waiting::soon;
use futures_util::{SinkExt, StreamExt};
use serde_json::{Value, json};
use std::collections::{HashMap, VecDeque};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::{TcpListener, TcpStream},
    sync::{
        mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel},
        watch,
    },
};
use tokio_tungstenite::{
    WebSocketStream,
    tungstenite::{
        Message,
        handshake::derive_accept_key,
        protocol::{CloseFrame, Role, WebSocketConfig},
    },
};

/// A listening service; a test answers its upgrades one by one.
pub struct SocketService {
    pub url: String,
    upgrades: UnboundedReceiver<Upgrade>,
}

impl SocketService {
    pub async fn start() -> Self {
        Self::start_on(0).await
    }

    pub async fn start_on(port: u16) -> Self {
        let listener = TcpListener::bind(("127.0.0.1", port)).await.unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        let (sender, upgrades) = unbounded_channel();
        tokio::spawn(async move {
            loop {
                tokio::select! {
                    accepted = listener.accept() => {
                        let (stream, _) = accepted.unwrap();
                        let sender = sender.clone();
                        tokio::spawn(async move {
                            if let Some(upgrade) = Upgrade::read(stream).await {
                                let _ = sender.send(upgrade);
                            }
                        });
                    }
                    () = sender.closed() => return,
                }
            }
        });
        Self { url, upgrades }
    }

    /// The next request for a socket.
    pub async fn upgrade(&mut self) -> Upgrade {
        soon("an upgrade", self.upgrades.recv()).await.unwrap()
    }

    /// The next socket.
    pub async fn socket(&mut self) -> ToolkitSocket {
        self.upgrade().await.accept().await
    }

    /// True if a request waits for its answer.
    pub fn has_upgrade(&mut self) -> bool {
        !self.upgrades.is_empty()
    }
}

/// A toolkit's request for a socket.
pub struct Upgrade {
    pub path: String,
    pub headers: HashMap<String, String>,
    stream: TcpStream,
}

impl Upgrade {
    async fn read(mut stream: TcpStream) -> Option<Self> {
        let mut head = Vec::new();
        while !head.ends_with(b"\r\n\r\n") {
            head.push(stream.read_u8().await.ok()?);
        }
        let head = String::from_utf8(head).unwrap();
        let mut lines = head.lines();
        let path = lines.next()?.split(' ').nth(1)?.to_owned();
        let headers = lines.filter_map(|line| line.split_once(": ")).map(|(name, value)| (name.to_lowercase(), value.to_owned()));
        Some(Self { path, headers: headers.collect(), stream })
    }

    pub async fn accept(mut self) -> ToolkitSocket {
        let accept = derive_accept_key(self.headers["sec-websocket-key"].as_bytes());
        let head = format!(
            "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Accept: {accept}\r\n\r\n"
        );
        self.stream.write_all(head.as_bytes()).await.unwrap();
        ToolkitSocket::new(self.stream).await
    }

    /// A plain HTTP response. `head` has further headers.
    pub async fn refuse(mut self, status: u64, head: &str, body: &Value) {
        let body = body.to_string();
        let response = format!(
            "HTTP/1.1 {status} Refused\r\nContent-Type: application/problem+json\r\nContent-Length: {}\r\n{head}\r\n{body}",
            body.len()
        );
        self.stream.write_all(response.as_bytes()).await.unwrap();
    }
}

enum Order {
    Send(String),
    Close(u16, String),
    Cut,
}

/// One socket of a toolkit, and its unread frames.
pub struct ToolkitSocket {
    orders: UnboundedSender<Order>,
    frames: UnboundedReceiver<Value>,
    left: VecDeque<Value>,
    /// The close code, once it is closed; 1006 without a close frame.
    closed: watch::Receiver<Option<u16>>,
}

impl ToolkitSocket {
    async fn new(stream: TcpStream) -> Self {
        let config = WebSocketConfig::default().max_message_size(None).max_frame_size(None);
        let socket = WebSocketStream::from_raw_socket(stream, Role::Server, Some(config)).await;
        let (orders, inbox) = unbounded_channel();
        let (sender, frames) = unbounded_channel();
        let (report, closed) = watch::channel(None);
        tokio::spawn(async move {
            let code = serve(socket, inbox, sender).await;
            let _ = report.send(Some(code));
        });
        Self { orders, frames, left: VecDeque::new(), closed }
    }

    /// The next frame of the toolkit except heartbeats, which are answered.
    pub async fn next(&mut self) -> Value {
        // One timeout for all frames, because heartbeats may arrive without end.
        soon("a frame", async {
            loop {
                let frame = self.next_of_all().await;
                if frame["method"] != "heartbeat" {
                    return frame;
                }
                self.answer(&frame, json!({}));
            }
        })
        .await
    }

    /// The next frame of the toolkit.
    pub async fn next_of_all(&mut self) -> Value {
        match self.left.pop_front() {
            Some(frame) => frame,
            None => match soon("a frame", self.frames.recv()).await {
                Some(frame) => frame,
                None => panic!("no frame came, closed with {:?}", *self.closed.borrow()),
            },
        }
    }

    /// The unread frames.
    pub fn take_left(&mut self) -> Vec<Value> {
        let mut left: Vec<Value> = self.left.drain(..).collect();
        while let Ok(frame) = self.frames.try_recv() {
            left.push(frame);
        }
        left
    }

    /// A text is sent unchanged.
    pub fn send(&self, frame: &Value) {
        let text = frame.as_str().map_or_else(|| frame.to_string(), str::to_owned);
        let _ = self.orders.send(Order::Send(text));
    }

    pub fn answer(&self, frame: &Value, result: Value) {
        self.send(&json!({ "jsonrpc": "2.0", "id": frame["id"], "result": result }));
    }

    pub fn refuse(&self, frame: &Value, error: Value) {
        self.send(&json!({ "jsonrpc": "2.0", "id": frame["id"], "error": error }));
    }

    pub fn notify(&self, method: &str, params: Value) {
        self.send(&json!({ "jsonrpc": "2.0", "method": method, "params": params }));
    }

    /// `params` has further members.
    pub fn invoke(&self, id: &str, action: &str, params: Value) {
        let mut call = json!({ "action": action, "payload": {}, "agentId": "key_agent", "timeoutMs": 10_000 });
        call.as_object_mut().unwrap().extend(params.as_object().unwrap().clone());
        self.send(&json!({ "jsonrpc": "2.0", "id": id, "method": "invoke", "params": call }));
    }

    /// Answers `register`, and returns its params. `members` has further members of the answer.
    pub async fn accept(&mut self, members: Value) -> Value {
        let frame = self.next().await;
        assert_eq!(frame["method"], "register", "{frame}");
        let mut result = json!({ "protocol": 1, "toolkit": { "id": "wire", "name": "Wire", "description": "" }, "accepted": [],
            "rejected": [], "awaiting": [], "heartbeatMs": 60_000 });
        result.as_object_mut().unwrap().extend(members.as_object().unwrap().clone());
        self.answer(&frame, result);
        frame["params"].clone()
    }

    /// Waits until the toolkit has read all earlier frames.
    pub async fn read(&mut self) {
        self.send(&json!({ "jsonrpc": "2.0", "id": "svc-read", "method": "dance" }));
        assert_eq!(self.next().await["id"], "svc-read");
    }

    pub fn close(&self, code: u16, reason: &str) {
        let _ = self.orders.send(Order::Close(code, reason.into()));
    }

    pub fn cut(&self) {
        let _ = self.orders.send(Order::Cut);
    }

    pub fn is_closed(&self) -> bool {
        self.closed.borrow().is_some()
    }

    /// The close code of the toolkit. Earlier heartbeats are answered, other frames are ignored.
    pub async fn closed(&mut self) -> u16 {
        soon("the end of the socket", async {
            loop {
                tokio::select! {
                    frame = self.frames.recv() => match frame {
                        Some(frame) if frame["method"] == "heartbeat" => self.answer(&frame, json!({})),
                        Some(frame) => self.left.push_back(frame),
                        None => {
                            let code = *self.closed.wait_for(Option::is_some).await.unwrap();
                            return code.unwrap_or_default();
                        }
                    },
                }
            }
        })
        .await
    }
}

async fn serve(mut socket: WebSocketStream<TcpStream>, mut orders: UnboundedReceiver<Order>, frames: UnboundedSender<Value>) -> u16 {
    let mut code = 1006;
    loop {
        tokio::select! {
            order = orders.recv() => match order {
                Some(Order::Send(text)) => {
                    if socket.send(Message::text(text)).await.is_err() {
                        return code;
                    }
                }
                Some(Order::Close(code, reason)) => {
                    let _ = socket.close(Some(CloseFrame { code: code.into(), reason: reason.into() })).await;
                }
                // The socket is dropped without a closing handshake.
                Some(Order::Cut) | None => return code,
            },
            message = socket.next() => match message {
                Some(Ok(Message::Text(text))) => {
                    let _ = frames.send(serde_json::from_str(&text).unwrap());
                }
                Some(Ok(Message::Close(frame))) => {
                    code = frame.map_or(1005, |frame| frame.code.into());
                    // The answer to the close frame leaves before the socket is dropped.
                    let _ = socket.flush().await;
                }
                Some(Ok(_)) => {}
                Some(Err(_)) | None => return code,
            },
        }
    }
}
